// How much room there is.
import { MediaQuery } from "svelte/reactivity";

/** A phone, a tablet held upright, or a desktop at 200 %: the map keeps half of the screen, the rest are sheets. */
export const compact = new MediaQuery("(max-width: 860px), (max-height: 560px)");
