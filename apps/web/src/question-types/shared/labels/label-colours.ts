import type { CSSProperties } from 'react'

/**
 * Returns a label's colors for every theme: its hue at 80% saturation and 80% lightness. Lightness and chroma are then adjusted
 * so that text on `wash`, and `line` on the page background, have enough contrast. The numbers are tokens in label-colours.css.
 */
export const labelColours = (hue: number): { readonly wash: string; readonly line: string } => {
  const base = `hsl(${hue} 80% 80%)`
  return {
    wash: `oklch(from ${base} var(--label-wash-lightness) var(--label-wash-chroma) h)`,
    line: `oklch(from ${base} var(--label-line-lightness) var(--label-line-chroma) h)`,
  }
}

/** Returns the colors as CSS custom properties. */
export const labelColourProperties = (hue: number): CSSProperties => {
  const { wash, line } = labelColours(hue)
  return { '--label-wash': wash, '--label-line': line } as CSSProperties
}
