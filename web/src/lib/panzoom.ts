// Moving and scaling the sheet under the pointer. A drag only moves a layer that is drawn already; a change of scale
// stretches it first and has it drawn anew, sharp, when the fingers rest.

export interface Pose {
  x: number;
  y: number;
  k: number; // scale in which the sheet is drawn
  stretch: number; // extra scale until it is drawn anew
}

const REST = 140; // ms
const GLIDE = 320; // ms
const SLACK = 5; // px: a press that moves less is a click

export class PanZoom {
  pose: Pose = { x: 0, y: 0, k: 1, stretch: 1 };
  dragged = false;
  private pointers = new Map<number, { x: number; y: number }>();
  private start: { x: number; y: number } | null = null;
  private timer = 0;
  private frame = 0;
  private touched = false;
  private glides = 0; // a later one ends the one before

  constructor(
    private readonly box: HTMLElement,
    private readonly sheet: { width: number; height: number },
    private readonly show: (pose: Pose) => void,
    private readonly taken: (event: PointerEvent) => boolean = () => false, // this press is not for the sheet
  ) {
    const passive = { passive: false };
    box.addEventListener("pointerdown", this.down);
    box.addEventListener("pointermove", this.move);
    box.addEventListener("pointerup", this.up);
    box.addEventListener("pointercancel", this.up);
    box.addEventListener("wheel", this.wheel, passive);
  }

  destroy(): void {
    this.box.removeEventListener("pointerdown", this.down);
    this.box.removeEventListener("pointermove", this.move);
    this.box.removeEventListener("pointerup", this.up);
    this.box.removeEventListener("pointercancel", this.up);
    this.box.removeEventListener("wheel", this.wheel);
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
    this.glides++;
  }

  get scale(): number {
    return this.pose.k * this.pose.stretch;
  }

  private get fitScale(): number {
    return Math.min(this.box.clientWidth / this.sheet.width, this.box.clientHeight / this.sheet.height);
  }

  private get least(): number {
    return Math.min(this.fitScale, 0.6);
  }

  /** Has the player moved the map by hand? Then a new size of the window leaves it alone. */
  get movedByHand(): boolean {
    return this.touched;
  }

  fit(): void {
    this.touched = false;
    const k = this.fitScale;
    this.set(k, (this.box.clientWidth - this.sheet.width * k) / 2, (this.box.clientHeight - this.sheet.height * k) / 2);
  }

  /** The first look: the whole sheet where that can be read, else as wide as the window around what matters. */
  open(rect: { x: number; y: number; w: number; h: number } | null): void {
    this.fit();
    const readable = 0.5;
    if (this.fitScale < readable && rect) this.openAt(rect);
    this.show({ ...this.pose });
  }

  private openAt(rect: { x: number; y: number; w: number; h: number }): void {
    const k = Math.max(0.42, Math.min(0.7, (this.box.clientWidth / this.sheet.width) * 0.98));
    const middle = { x: rect.x + rect.w / 2, y: rect.y + rect.h / 2 };
    this.set(k, this.place(middle.x, k, this.sheet.width, this.box.clientWidth), this.place(middle.y, k, this.sheet.height, this.box.clientHeight));
  }

  /** Where the sheet's edge goes so that a point comes to the middle, without showing more table than must be. */
  private place(point: number, k: number, sheet: number, room: number): number {
    if (sheet * k <= room) return (room - sheet * k) / 2;
    return Math.min(0, Math.max(room - sheet * k, room / 2 - point * k));
  }

  /**
   * Bring a rectangle of the sheet to the middle, and scale only if it would be too small or too large. The lowest `foot`
   * pixels of the window are covered by something.
   */
  centre(rect: { x: number; y: number; w: number; h: number }, minimum = 0, foot = 0): void {
    this.touched = true;
    const height = this.box.clientHeight - foot;
    const room = Math.min(this.box.clientWidth / rect.w, height / rect.h) * 0.9;
    const k = Math.max(Math.min(this.scale, room), Math.min(minimum, room));
    this.set(k, this.box.clientWidth / 2 - (rect.x + rect.w / 2) * k, height / 2 - (rect.y + rect.h / 2) * k);
  }

  /** `centre`, but so that the eye can follow. */
  glideTo(rect: { x: number; y: number; w: number; h: number }, atOnce: boolean, foot = 0): void {
    const from = { x: this.pose.x, y: this.pose.y, k: this.scale };
    this.centre(rect, 0, foot);
    if (atOnce) return;
    const to = { x: this.pose.x, y: this.pose.y, k: this.pose.k };
    const begun = performance.now();
    const glide = ++this.glides;
    const frame = (now: number): void => {
      if (glide !== this.glides) return;
      const part = Math.min(1, Math.max(0, (now - begun) / GLIDE));
      const share = part * part * (3 - 2 * part);
      const between = (a: number, b: number): number => a + (b - a) * share;
      this.pose.x = between(from.x, to.x);
      this.pose.y = between(from.y, to.y);
      this.pose.k = to.k; // drawn in its last scale from the start, and stretched until then
      this.pose.stretch = between(from.k, to.k) / to.k;
      this.show({ ...this.pose });
      if (part < 1) requestAnimationFrame(frame);
    };
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    frame(begun);
  }

  /** Is a rectangle of the sheet in sight? */
  sees(rect: { x: number; y: number; w: number; h: number }, foot = 0): boolean {
    const k = this.scale;
    const left = rect.x * k + this.pose.x;
    const top = rect.y * k + this.pose.y;
    return (
      left >= 0 && top >= 0 && left + rect.w * k <= this.box.clientWidth && top + rect.h * k <= this.box.clientHeight - foot
    );
  }

  zoom(factor: number, at?: { x: number; y: number }): void {
    const point = at ?? { x: this.box.clientWidth / 2, y: this.box.clientHeight / 2 };
    this.glides++;
    const old = this.scale;
    const now = Math.max(this.least, Math.min(3, old * factor));
    this.touched = true;
    this.pose.x = point.x - ((point.x - this.pose.x) * now) / old;
    this.pose.y = point.y - ((point.y - this.pose.y) * now) / old;
    this.pose.stretch = now / this.pose.k;
    this.change();
    this.settleSoon();
  }

  pan(dx: number, dy: number): void {
    this.glides++;
    this.touched = true;
    this.pose.x += dx;
    this.pose.y += dy;
    this.change();
  }

  /** From a point of the window to a point of the sheet. */
  toSheet(clientX: number, clientY: number): { x: number; y: number } {
    const frame = this.box.getBoundingClientRect();
    return { x: (clientX - frame.left - this.pose.x) / this.scale, y: (clientY - frame.top - this.pose.y) / this.scale };
  }

  private set(k: number, x: number, y: number): void {
    this.glides++;
    this.pose.x = x;
    this.pose.y = y;
    this.pose.k = k;
    this.pose.stretch = 1;
    this.change();
  }

  /** Keep some of the sheet in sight, and show the pose with the next frame. */
  private change(): void {
    const keep = 90;
    const k = this.scale;
    const pose = this.pose;
    pose.x = Math.min(this.box.clientWidth - keep, Math.max(keep - this.sheet.width * k, pose.x));
    pose.y = Math.min(this.box.clientHeight - keep, Math.max(keep - this.sheet.height * k, pose.y));
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.show({ ...this.pose });
    });
  }

  private settleSoon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.pose.k = this.scale;
      this.pose.stretch = 1;
      this.change();
    }, REST);
  }

  private local(event: MouseEvent): { x: number; y: number } {
    const frame = this.box.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  }

  private down = (event: PointerEvent): void => {
    if (event.button > 1) return;
    this.dragged = false;
    if (this.pointers.size === 0 && this.taken(event)) return;
    this.pointers.set(event.pointerId, this.local(event));
    if (this.pointers.size === 1) {
      this.start = this.local(event);
      this.dragged = false;
    }
  };

  private move = (event: PointerEvent): void => {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.local(event);
    if (!this.dragged && this.start && Math.hypot(now.x - this.start.x, now.y - this.start.y) > SLACK) {
      this.dragged = true;
      this.box.setPointerCapture(event.pointerId);
    }
    if (this.pointers.size === 2) this.pinch(event.pointerId, before, now);
    else if (this.dragged) this.pan(now.x - before.x, now.y - before.y);
    if (this.dragged || this.pointers.size === 2) this.pointers.set(event.pointerId, now);
  };

  private pinch(id: number, before: { x: number; y: number }, now: { x: number; y: number }): void {
    const other = [...this.pointers].find(([key]) => key !== id)?.[1];
    if (!other) return;
    this.dragged = true;
    const was = Math.hypot(before.x - other.x, before.y - other.y);
    const is = Math.hypot(now.x - other.x, now.y - other.y);
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    this.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    if (was > 0) this.zoom(is / was, middle);
  }

  private up = (event: PointerEvent): void => {
    this.pointers.delete(event.pointerId);
    if (this.pointers.size === 0) this.start = null;
  };

  private wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    if (event.shiftKey) this.pan(-(event.deltaX || event.deltaY) * lines, 0);
    else this.zoom(Math.exp((-event.deltaY * lines) / (event.ctrlKey ? 120 : 420)), this.local(event));
  };
}
