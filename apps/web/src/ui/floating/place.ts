export type Rect = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number }
export type Size = { readonly width: number; readonly height: number }
export type Side = 'top' | 'bottom' | 'left' | 'right'
export type Align = 'start' | 'center' | 'end'
export type Placement = {
  readonly side: Side
  readonly align: Align /** Between anchor and panel, in CSS pixels. */
  readonly gap: number
}
export type Place = { readonly left: number; readonly top: number; readonly maxHeight: number; readonly side: Side }

/** Kept free to the edges of the window. */
const edge = 8
const opposite: { readonly [S in Side]: Side } = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' }

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(value, Math.max(low, high)))

const room = (side: Side, anchor: Rect, view: Size, gap: number): number =>
  ({
    top: anchor.top - gap - edge,
    bottom: view.height - anchor.bottom - gap - edge,
    left: anchor.left - gap - edge,
    right: view.width - anchor.right - gap - edge,
  })[side]

const isVertical = (side: Side): boolean => side === 'top' || side === 'bottom'

const aligned = (align: Align, from: number, to: number, length: number): number =>
  ({ start: from, center: (from + to - length) / 2, end: to - length })[align]

/**
 * Where a floating panel goes: at its side of the anchor, on the other one where there is more room and not enough here,
 * and always inside the window. All in CSS pixels of the window; `align` is by left and right, whatever the direction of text.
 */
export const place = (anchor: Rect, panel: Size, view: Size, { side: wanted, align, gap }: Placement): Place => {
  const needed = isVertical(wanted) ? panel.height : panel.width
  const here = room(wanted, anchor, view, gap)
  const side = needed > here && room(opposite[wanted], anchor, view, gap) > here ? opposite[wanted] : wanted
  const maxHeight = isVertical(side) ? Math.max(96, room(side, anchor, view, gap)) : view.height - 2 * edge
  const height = Math.min(panel.height, maxHeight)
  const left = isVertical(side)
    ? aligned(align, anchor.left, anchor.right, panel.width)
    : side === 'left'
      ? anchor.left - gap - panel.width
      : anchor.right + gap
  const top = isVertical(side)
    ? side === 'top'
      ? anchor.top - gap - height
      : anchor.bottom + gap
    : aligned(align, anchor.top, anchor.bottom, height)
  return {
    left: clamp(left, edge, view.width - panel.width - edge),
    top: clamp(top, edge, view.height - height - edge),
    maxHeight,
    side,
  }
}
