"""Chapter 5: the Card Phase, the deck, playing and cancelling events, cards as currency."""

from __future__ import annotations

from typing import Any

from counterblow.games.noretreat.components import AXIS, CLEAR, LONG_WINTER, SIDES, SNOW, SOVIET, WEATHER_NAMES, Half
from counterblow.games.noretreat.state import NoRetreatState, flow, pair
from counterblow.kernel.actions import Action
from counterblow.kernel.masks import bits, mask_of
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if

# ---------------------------------------------------------------------- hands and piles


def hand_count(s: NoRetreatState, side: int) -> int:
    """Cards that count for the hand limit and can be spent; the Joker does not (15.7)."""
    return (s.hands[side] & ~s.game.joker_bit).bit_count()


def take(s: NoRetreatState, side: int, card: int) -> None:
    s.hands = pair(s.hands, side, s.hands[side] | 1 << card)


def discard(s: NoRetreatState, side: int, card: int) -> None:
    """5.4.a: to the top of the one discard pile, without effect."""
    s.hands = pair(s.hands, side, s.hands[side] & ~(1 << card))
    s.discards.append(card)
    s.log("discard", "{event} is discarded by {who}", "5.4.a", who=side, event=2 * card + side)


def discard_random(s: NoRetreatState, side: int) -> None:
    """A card of a hand, by chance, if it holds one that can be discarded."""
    cards = bits(s.hands[side] & ~s.game.joker_bit)
    if cards:
        discard(s, side, s.draw(cards))


def _reshuffle(s: NoRetreatState) -> None:
    """5.0.b: as soon as one card is left it is shuffled together with the discards; no event orders it (5.0.h)."""
    if len(s.pile) <= 1 and s.discards:
        s.pile, s.discards = s.pile + s.discards, []
        s.shuffle(s.pile)
        s.log("shuffle", "the discard pile is shuffled into the draw pile", "5.0.b")


@flow.step
def draw(s: NoRetreatState, side: int, number: int) -> None:
    """5.0.a: one by one; a weather card happens at once and is replaced (14.14.2)."""
    drawn: list[int] = []
    while len(drawn) < number:
        _reshuffle(s)
        if len(s.pile) <= 1:
            break
        card = s.pile.pop()
        _reshuffle(s)
        if s.game.cards[card].weather:
            _weather_card(s, card)
        else:
            take(s, side, card)
            drawn.append(card)
    events = tuple(2 * card + side for card in drawn)
    s.log("reveal", "drawn by {who}: {events}", "5.2.a", who=side, events=events, only=side,
          public=f"{len(drawn)} {'card is' if len(drawn) == 1 else 'cards are'} drawn by {{who}}")  # fmt: skip


def _weather_card(s: NoRetreatState, card: int) -> None:
    """14.14: only a variable turn's marker can be turned; 15.4 ignores the card."""
    s.discards.append(card)
    half = s.game.cards[card].halves[AXIS]
    ignored = s.options["no_variable_weather"]
    if ignored == "always" or (ignored == "1941" and s.turn <= s.game.number["last_turn_of_1941"]):
        s.log("weather", "{event} is drawn and ignored", "15.4", event=half.index)
        return
    turn = s.turn if half.get("weather_turn") == "current" else s.turn + 1
    if turn >= len(s.game.turns) or not s.game.turns[turn].variable:
        s.log("weather", "{event} is drawn: that turn's weather is fixed", "14.14", event=half.index)
        return
    by_die = half.get("weather_by_die", None)
    sky = by_die[s.roll() - 1] if by_die else half.get("weather")
    s.weather[turn] = WEATHER_NAMES.index(sky)
    s.log("weather", "{event}: turn {n} will be {sky}", "14.14.2", event=half.index, n=turn, sky=sky)
    if turn == s.turn:
        s.sky = sky_of(s, turn)


def sky_of(s: NoRetreatState, turn: int) -> int:
    """14.14.1, 14.14.3: the marker's weather or the printed one; Snow right after Snow is Long Winter (13.1.lw.d)."""
    weather = s.weather[turn]
    return LONG_WINTER if weather == SNOW and s.snowed(turn - 1) else weather if turn else CLEAR


# ---------------------------------------------------------------------- the Card Phase


@flow.step
def card_phase(s: NoRetreatState) -> None:
    """4.1: discard, draw, and the events of the phase."""
    s.push(draw_step)
    keep(s, s.mover, s.game.number["hand_kept"])


@flow.step
def keep(s: NoRetreatState, side: int, limit: int) -> None:
    """5.1: down to the hand limit."""
    excess = hand_count(s, side) - limit
    if excess > 0:
        s.push(Discard, side, excess, "5.1")


@flow.step
def draw_step(s: NoRetreatState) -> None:
    """5.2: the Draw Step, with the Two-Front War at its end."""
    side = s.mover
    draw(s, side, draw_rate(s, side))
    s.draw_loss = pair(s.draw_loss, side, 0)
    s.push(window, side, "cards")
    if side == AXIS and s.game.turns[s.turn].red_event and hand_count(s, AXIS):
        charge(s, AXIS, 1, "5.2.1")


def draw_rate(s: NoRetreatState, side: int) -> int:
    """5.2.a: four cards; 5.2.b, 5.2.c and 13.5 change that, all of it added up (5.2.d)."""
    game = s.game
    if side == AXIS and "reich_defences" in game.in_force[s.turn]:
        return game.number["axis_turn_23_draw"]
    events = [game.turn_events[name] for name in game.in_force[s.turn]]  # 13.5.8-9, 13.5.21
    rate: int = game.number["draw"] + sum(event.get(f"{SIDES[side]}_draw", 0) for event in events) - s.draw_loss[side]
    if side == SOVIET:
        rate -= s.controls(AXIS, game.charts.moscow) + s.controls(AXIS, game.charts.caucasus_oil)
    else:
        rate -= s.controls(SOVIET, game.charts.rumanian_oil)
    return max(0, rate)


# ---------------------------------------------------------------------- cards as currency


DISCARDS = ("5.1", "5.2.1")  # the rules by which cards go without anything being paid for


class FromHand(Pick[NoRetreatState]):
    """A card of a hand is discarded; called by its other half it is the same card (5.4.a)."""

    kind, sided = "discard", True

    def allows(self, s: NoRetreatState, action: Action, *args: Any) -> bool:
        return action.kind == self.kind and self.other_half(s, action) in s.legal()

    def take_shortcut(self, s: NoRetreatState, action: Action, *args: Any) -> None:
        self.do(s, self.other_half(s, action), *args)

    def other_half(self, s: NoRetreatState, action: Action) -> Action:
        found: Action = s.game.act[self.kind][action.args[0] ^ 1]
        return found


class Spend(FromHand):
    """So many cards of a hand are discarded one by one: ``why`` is the rule that wants them."""

    def prompt(self, s: NoRetreatState, side: int, number: int, why: str) -> str:
        return f"{s.game.rules[why].title}: discard {number} card{'s' * (number > 1)} ({why})."

    def items(self, s: NoRetreatState, side: int, number: int, why: str) -> list[int]:
        return [2 * card + side for card in bits(s.hands[side] & ~s.game.joker_bit)]

    def why_not_item(self, s: NoRetreatState, event: int, side: int, number: int, why: str) -> Citation | None:
        if s.hands[side] & s.game.joker_bit & 1 << (event >> 1):
            return refuse("15.7", "the Joker is played and handed over, never discarded (ruling 79)")
        return refuse("5.4" if why not in DISCARDS else why, "only a card of one's own hand can be discarded")

    def take(self, s: NoRetreatState, event: int, side: int, number: int, why: str) -> None:
        if number > 1:
            s.push(type(self), side, number - 1, why)
        discard(s, side, event >> 1)


@flow.choice
class Discard(Spend):
    """5.1: down to the hand limit."""


@flow.choice
class Pay(Spend):
    """5.4: cards spent on replacements, improvements, rail moves, reorganization, fortification or a Counterblow."""


@flow.choice
class Steal(FromHand):
    """Red Orchestra (card 40): the player of the event discards a card of the enemy's."""

    def prompt(self, s: NoRetreatState, side: int) -> str:
        return f"Discard a card from the hand of the {s.game.side_titles[1 - side]}."

    def items(self, s: NoRetreatState, side: int) -> list[int]:
        return [2 * card + 1 - side for card in bits(s.hands[1 - side] & ~s.game.joker_bit)]

    def why_not_item(self, s: NoRetreatState, event: int, side: int) -> Citation | None:
        hand = ", ".join(s.game.event_names[held] for held in self.items(s, side))
        return refuse("5.3.2", f"the event takes a card of the enemy's hand: {hand}")

    def take(self, s: NoRetreatState, event: int, side: int) -> None:
        discard(s, 1 - side, event >> 1)


def charge(s: NoRetreatState, side: int, number: int, why: str) -> None:
    """Have a side pay cards; it must hold that many."""
    if number:
        s.push(Pay, side, number, why)


def why_not_price(s: NoRetreatState, price: int, rule: str) -> Citation | None:
    """5.4: does the phasing player hold so many cards?"""
    held = hand_count(s, s.mover)
    return refuse_if(held < price, rule, f"it costs {price} card{'s' * (price > 1)}, and the hand holds {held}")


# ---------------------------------------------------------------------- who may play what now


def card_initiative(s: NoRetreatState, side: int) -> int:
    """Whose symbol a side's events need (5.3.3); 15.11 moves the day for one side."""
    if s.options["variable_initiative"]:
        if s.turn < s.game.shift_turn and side == SOVIET and s.turn >= s.initiative_counter:
            return SOVIET
        if s.turn >= s.game.shift_turn and side == AXIS and s.turn < s.initiative_counter:
            return AXIS
    return s.initiative


def barred(s: NoRetreatState, half: Half) -> Citation | None:
    """Why an event cannot occur now, whatever its timing; without a symbol it can all game (5.3.3.c)."""
    if s.played >> half.index & 1:
        return refuse("5.0.g", "the same event cannot occur twice in a player turn")
    wanted = AXIS if half.symbol == "cross" else SOVIET
    if half.symbol not in ("cross", "star") or card_initiative(s, half.side) == wanted:
        return None
    rule, words = (("5.3.3.a", "German cross"), ("5.3.3.b", "Soviet star"))[wanted]
    counter = f": its counter is on turn {s.initiative_counter}" if s.options["variable_initiative"] else ""
    return refuse(rule, f"a {words} event needs the {s.game.side_titles[wanted]} Initiative{counter}")


def may_hold(s: NoRetreatState, side: int, context: str) -> int:
    """The cards in a hand that belong to a moment, or recover one that does from the top of the discard pile."""
    hand, mask, recovering = s.hands[side], s.game.context_mask[side][context], s.game.recovering[side]
    if hand & recovering and s.discards and mask >> s.discards[-1] & 1:
        mask |= recovering
    return hand & mask


def playable(s: NoRetreatState, side: int, context: str) -> list[Action]:
    """The events that a side may play at this moment: plain, on a unit or at a hex."""
    game, found, held = s.game, [], may_hold(s, side, context)
    if not held:
        return []
    for card in bits(held):
        half = game.cards[card].halves[side]
        kind = "play"
        events: tuple[int, ...] = (half.index,)
        if half.op == RECOVERY and not barred(s, half):  # Gott Mit Uns and Urrah!
            half = game.cards[s.discards[-1]].halves[side]
            kind, events = "replay", (*events, half.index)
        if barred(s, half):
            continue
        how, values = game.ops[half.op].options(s, half)
        if how == "plain":
            found.append(game.act[kind][events if kind == "replay" else half.index])
        else:
            found += [game.act[f"{kind}_{how}"][(*events, value)] for value in values]
    return found


RECOVERY = "play_top_discard"
ASKED, ALWAYS = ("axis_reactions", "soviet_reactions"), "always"
PLAYS = frozenset(("play", "play_unit", "play_hex", "replay", "replay_unit", "replay_hex"))


def why_not_play(s: NoRetreatState, action: Action, side: int, context: str) -> Citation:
    """Why an event cannot be played at this moment."""
    game, half = s.game, s.game.halves[action.args[0]]
    card, away = game.cards[half.number], not s.hands[side] >> half.number & 1
    early = away and card.year45 == "green" and s.turn < game.year_45_turn
    reason = (
        refuse_if(card.weather, "14.14.2", f"{half.name} happens when its card is drawn, and is never played")
        or refuse_if(card.joker and not s.options["joker"], "15.7", "this optional rule is not used")
        or refuse_if(half.side != side, "5.3.a", "that half of the card belongs to the other side")
        or refuse_if(early, "5.5.a", f"{half.name} comes into the deck on turn {game.year_45_turn}")
        or refuse_if(away, "5.3.a", f"{half.name} is not in the hand")
        or barred(s, half)
    )
    if reason:
        return reason
    if action.kind.startswith("replay"):
        if half.op != RECOVERY:
            return refuse("5.0.c", f"{half.name} recovers no card from the discard pile")
        half = game.halves[action.args[1]]
        if not s.discards or half.number != s.discards[-1] or half.side != side:
            return refuse("5.0.c", f"{half.name} is not on top of the discard pile")
        reason = barred(s, half)
        if reason:
            return reason
    elif half.op == RECOVERY:
        return refuse("5.0.d", f"{half.name} is played as the event that it recovers")
    if not game.context_mask[side].get(context, 0) >> half.number & 1:
        return refuse("5.0.d", f"this is not the moment of {half.name}")
    how, values = game.ops[half.op].options(s, half)
    if how == "plain":
        return refuse("5.0.d", f"{half.name} is not played on a unit or hex")
    if not values:
        return refuse("5.0.d", f"{half.name} has nothing to act on here")
    if not action.kind.endswith(how):
        return refuse("5.0.d", f"{half.name} is played on a {how}")
    names = game.unit_names if how == "unit" else game.board.labels
    return refuse("5.0.d", f"{half.name} can do nothing for {names[action.args[-1]]}")


class PlayEvent(Pick[NoRetreatState]):
    """An event among other things that a player may do at a moment: the phasing one, or the enemy."""

    kind, passing, stays = "play", "done", True

    def __init__(self, moment: str, other: bool = False) -> None:
        self.moment, self.other = moment, other

    def offers(self, kind: str) -> bool:
        return kind in PLAYS or kind == self.passing

    def legal(self, s: NoRetreatState) -> list[Action]:
        found = playable(s, self.side(s), self.moment)
        return found if self.why_not_pass(s) else [*found, s.game.act["done"][()]]

    def do(self, s: NoRetreatState, action: Action) -> None:
        if action.kind in PLAYS:
            play(s, action)
        else:
            super().do(s, action)

    def why_not(self, s: NoRetreatState, action: Action) -> list[Citation]:
        if action.kind in PLAYS:
            return [why_not_play(s, action, self.side(s), self.moment)]
        return super().why_not(s, action)


# ---------------------------------------------------------------------- playing an event


def play(s: NoRetreatState, action: Action) -> None:
    """Play an event: its card is discarded, the other side may cancel, then it takes effect."""
    index, *rest = action.args
    if action.kind.startswith("replay"):
        recovered, *rest = rest
        s.played |= 1 << index
        s.discards.pop()
        _spend(s, index)
        s.discards.append(recovered >> 1)
        s.log("event", "{event1} is played by {who} and recovers {event2}", "5.3.b", who=index & 1, event1=index,
              event2=recovered)  # fmt: skip
        index = recovered
    else:
        _spend(s, index)
        s.log("event", "{event} is played by {who}", "5.3.b", who=index & 1, event=index)
    s.played |= 1 << index
    s.push(take_effect, index, rest[0] if rest else -1)
    s.push(window, 1 - (index & 1), "played")


def _spend(s: NoRetreatState, index: int) -> None:
    """5.3.b, and 15.7: the Joker is turned over and handed to the opponent."""
    card, side = index >> 1, index & 1
    s.hands = pair(s.hands, side, s.hands[side] & ~(1 << card))
    if s.game.cards[card].joker:
        take(s, 1 - side, card)
        s.log("joker", "the Joker passes to {who}", "15.7", who=1 - side)
    else:
        s.discards.append(card)


@flow.step
def take_effect(s: NoRetreatState, index: int, value: int) -> None:
    """5.0.e: events resolve in the order played."""
    half = s.game.halves[index]
    s.game.ops[half.op].resolve(s, half, value)


# ---------------------------------------------------------------------- reactions


@flow.step
def window(s: NoRetreatState, side: int, context: str) -> None:
    """Ask a side for an event, if it holds one that fits or wants always to be asked."""
    if not wants(s, side, context):
        return
    plays = playable(s, side, context)
    if plays or asks_always(s, side):
        s.offer(plays + passes(s, side), React, side, context)


def passes(s: NoRetreatState, side: int) -> list[Action]:
    """A side may pass, and in the enemy's player turn pass for the rest of it."""
    act = s.game.act
    return [act["pass"][()]] if side == s.mover else [act["pass"][()], act["silent"][()]]


def wants(s: NoRetreatState, side: int, context: str) -> bool:
    """May it be worth asking a side at this moment?"""
    if s.silent >> side & 1:
        return False
    return may_hold(s, side, context) > 0 or asks_always(s, side)


def asks_always(s: NoRetreatState, side: int) -> bool:
    return bool(s.options[ASKED[side]] == ALWAYS)


@flow.step
def windows(s: NoRetreatState, context: str) -> None:
    """5.0.f: where both may play the side with the Initiative goes first, and again if the other has played."""
    first = s.initiative
    s.queue((window, first, context), (window, 1 - first, context), (window_again, first, context, s.played))


@flow.step
def window_again(s: NoRetreatState, side: int, context: str, before: int) -> None:
    """Asked for no other reason, so that it tells nothing of a hand."""
    if any(index & 1 != side for index in bits(s.played & ~before)):
        window(s, side, context)


@flow.choice
class React(Pick[NoRetreatState]):
    """A moment at which a side may play an event. What is asked shows only to that side."""

    kind, passing, sided = "play", "pass", True

    def prompt(self, s: NoRetreatState, side: int, context: str, *args: Any) -> str:
        asks: str = s.game.occasions[context]["asks"]
        return asks.replace("{event}", s.game.event_names[s.agenda[-2][1]]) if context == "played" else asks

    def legal(self, s: NoRetreatState, side: int, context: str, *args: Any) -> list[Action]:
        return playable(s, side, context) + passes(s, side)

    def do(self, s: NoRetreatState, action: Action, side: int, context: str, *args: Any) -> None:
        s.pop()
        if action.kind == "silent":
            s.silent |= 1 << side
        played = action.kind in PLAYS
        self.answered(s, played, side, context, *args)
        if played:
            play(s, action)

    def answered(self, s: NoRetreatState, played: bool, side: int, context: str, *args: Any) -> None:
        """What follows once the event, if one was played, has taken effect."""
        if played and s.game.occasions[context].get("again"):
            s.push(window, side, context)

    def why_not(self, s: NoRetreatState, action: Action, side: int, context: str, *args: Any) -> list[Citation]:
        return [why_not_play(s, action, side, context)] if action.kind in PLAYS else []


def redeal(s: NoRetreatState, side: int) -> None:
    """Deal anew what a side cannot see: the enemy's hand and the order of the draw pile."""
    enemy = 1 - side
    if s.agenda and s.agenda[-1] == (Steal, side):
        s.pile.sort()
        s.shuffle(s.pile)  # the hand lies open
        return
    joker = s.hands[enemy] & s.game.joker_bit
    number_held = hand_count(s, enemy)
    hidden = [*bits(s.hands[enemy] & ~s.game.joker_bit), *s.pile]
    hidden.sort()
    s.shuffle(hidden)
    dealt = [card for card in hidden if not s.game.cards[card].weather][:number_held]
    s.hands = pair(s.hands, enemy, joker | mask_of(dealt))
    s.pile = [card for card in hidden if card not in dealt]


# ---------------------------------------------------------------------- 5.5 the cards of 1945


def on_to_berlin(s: NoRetreatState) -> None:
    """5.5.b-d: red-barred cards leave hands and piles, green ones are shuffled in; hands are kept."""
    old, new = s.game.cards_45["bar"], s.game.cards_45["green"]
    for side in (AXIS, SOVIET):
        s.hands = pair(s.hands, side, s.hands[side] & ~mask_of(old))
    s.pile = [card for card in (*s.pile, *s.discards) if card not in old] + list(new)
    s.discards = []
    s.shuffle(s.pile)
    s.log("deck", "the red-barred cards leave play and the 1945 cards are shuffled in", "5.5.b", "5.5.c", "5.5.d")
