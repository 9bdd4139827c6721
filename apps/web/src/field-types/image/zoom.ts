/** Sizes are in CSS pixels. At a scale of 1, an image pixel is one CSS pixel. */
export type Size = { readonly width: number; readonly height: number }

/** Clockwise rotation of an image, in quarter turns. */
export type QuarterTurns = 0 | 1 | 2 | 3

export const rotate = (quarters: QuarterTurns, by: 1 | -1): QuarterTurns => ((quarters + by + 4) % 4) as QuarterTurns

/** Returns the size of an image after rotation. */
export const rotatedSize = ({ width, height }: Size, quarters: QuarterTurns): Size =>
  quarters % 2 === 0 ? { width, height } : { width: height, height: width }

/** Returns the scale at which a whole image fits a box. Small images are not enlarged. */
export const fitScale = (image: Size, box: Size): number =>
  image.width > 0 && image.height > 0 && box.width > 0 ? Math.min(1, box.width / image.width, box.height / image.height) : 1

const step = 1.25
const maxScale = 8

export const maxScaleFor = (fit: number): number => Math.max(maxScale, fit)

/** Returns the next larger or smaller scale. The steps include the fit scale, the natural size and the largest scale. */
export const nextScale = (scale: number, fit: number, direction: 1 | -1): number => {
  const wanted = direction > 0 ? scale * step : scale / step
  const crosses = (snapPoint: number): boolean =>
    direction > 0 ? scale < snapPoint && snapPoint < wanted : wanted < snapPoint && snapPoint < scale
  const snapped = [fit, 1].find(crosses) ?? wanted
  return Math.min(maxScaleFor(fit), Math.max(fit, snapped))
}
