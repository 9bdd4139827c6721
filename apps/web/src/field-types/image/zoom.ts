/** Sizes are in CSS pixels; a scale of 1 shows one pixel of the picture as one of them. */
export type Size = { readonly width: number; readonly height: number }

/** How many quarters of a circle a picture is turned, clockwise. */
export type Quarters = 0 | 1 | 2 | 3

export const turnedBy = (quarters: Quarters, by: 1 | -1): Quarters => ((quarters + by + 4) % 4) as Quarters

/** The room that a picture takes when it is turned. */
export const turnedSize = ({ width, height }: Size, quarters: Quarters): Size =>
  quarters % 2 === 0 ? { width, height } : { width: height, height: width }

/** The scale at which all of a picture is seen in a box; small ones stay as they are. */
export const fitScale = (picture: Size, box: Size): number =>
  picture.width > 0 && picture.height > 0 && box.width > 0
    ? Math.min(1, box.width / picture.width, box.height / picture.height)
    : 1

const step = 1.25
const largest = 8

export const mostScale = (fit: number): number => Math.max(largest, fit)

/** The next scale in or out. It stops at the whole picture, at its natural size and at the largest. */
export const nextScale = (scale: number, fit: number, direction: 1 | -1): number => {
  const wanted = direction > 0 ? scale * step : scale / step
  const passes = (stop: number): boolean => (direction > 0 ? scale < stop && stop < wanted : wanted < stop && stop < scale)
  const stopped = [fit, 1].find(passes) ?? wanted
  return Math.min(mostScale(fit), Math.max(fit, stopped))
}
