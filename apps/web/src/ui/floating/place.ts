export type Rect = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number }
export type Size = { readonly width: number; readonly height: number }
export type Side = 'top' | 'bottom' | 'left' | 'right'
export type Align = 'start' | 'center' | 'end'
export type Placement = {
  readonly side: Side
  readonly align: Align /** Distance between anchor and panel, in CSS pixels. */
  readonly gap: number
}
export type Place = { readonly left: number; readonly top: number; readonly maxHeight: number; readonly side: Side }

/** Minimum distance to the edges of the window, in CSS pixels. */
const edge = 8
const opposite: { readonly [S in Side]: Side } = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' }

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(value, Math.max(low, high)))

const availableSpace = (side: Side, anchor: Rect, view: Size, gap: number): number =>
  ({
    top: anchor.top - gap - edge,
    bottom: view.height - anchor.bottom - gap - edge,
    left: anchor.left - gap - edge,
    right: view.width - anchor.right - gap - edge,
  })[side]

const isVertical = (side: Side): boolean => side === 'top' || side === 'bottom'

const alignedOffset = (align: Align, from: number, to: number, length: number): number =>
  ({ start: from, center: (from + to - length) / 2, end: to - length })[align]

/**
 * Returns a floating panel's position. The panel is on the requested side of the anchor. If that side has too little room and the
 * opposite side has more, the panel is on the opposite side. It is always inside the window. All values are CSS pixels relative
 * to the window. If the panel is above or below the anchor, `align` `start` means left and `end` means right, even in
 * right-to-left text.
 */
export const placePanel = (anchor: Rect, panel: Size, view: Size, { side: neededLength, align, gap }: Placement): Place => {
  const panelSize = isVertical(neededLength) ? panel.height : panel.width
  const chosenSide = availableSpace(neededLength, anchor, view, gap)
  const side =
    panelSize > chosenSide && availableSpace(opposite[neededLength], anchor, view, gap) > chosenSide
      ? opposite[neededLength]
      : neededLength
  const maxHeight = isVertical(side) ? Math.max(96, availableSpace(side, anchor, view, gap)) : view.height - 2 * edge
  const height = Math.min(panel.height, maxHeight)
  const left = isVertical(side)
    ? alignedOffset(align, anchor.left, anchor.right, panel.width)
    : side === 'left'
      ? anchor.left - gap - panel.width
      : anchor.right + gap
  const top = isVertical(side)
    ? side === 'top'
      ? anchor.top - gap - height
      : anchor.bottom + gap
    : alignedOffset(align, anchor.top, anchor.bottom, height)
  return {
    left: clamp(left, edge, view.width - panel.width - edge),
    top: clamp(top, edge, view.height - height - edge),
    maxHeight,
    side,
  }
}
