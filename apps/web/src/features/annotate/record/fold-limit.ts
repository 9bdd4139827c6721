/**
 * How far content may exceed the limit, as a factor, before it is truncated. Hiding only a few lines wouldn't be worth a
 * button.
 */
const tolerance = 1.4

/** Whether the content of a field is so long that it is truncated. @param frame the element that sets `--fold-px` */
export const exceedsFold = (frame: HTMLElement): boolean =>
  frame.scrollHeight > Number.parseFloat(getComputedStyle(frame).getPropertyValue('--fold-px')) * tolerance
