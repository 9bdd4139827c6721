import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/* Browsers compute these colors (`oklch(from hsl(…) …)`). This test computes them for every hue as defined in CSS Color 4 and
   measures their WCAG contrast. */
type Rgb = readonly [number, number, number]
type Oklch = { readonly l: number; readonly c: number; readonly h: number }

const hslToLinear = (hue: number): Rgb => {
  const [s, l] = [0.8, 0.8]
  const channel = (n: number): number => {
    const k = (n + hue / 30) % 12
    return l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1))
  }
  const linear = (v: number): number => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  return [linear(channel(0)), linear(channel(8)), linear(channel(4))]
}

const hueOf = ([r, g, b]: Rgb): number => {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return Math.atan2(bb, a)
}

const toLinear = ({ l, c, h }: Oklch): Rgb => {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)]
  const l3 = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m3 = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s3 = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clip = (v: number): number => Math.min(1, Math.max(0, v))
  return [
    clip(4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3),
    clip(-1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3),
    clip(-0.0041960863 * l3 - 0.7034186147 * m3 + 1.707614701 * s3),
  ]
}

const luminance = ([r, g, b]: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b
const contrast = (a: Rgb, b: Rgb): number => {
  const [low, high] = [luminance(a), luminance(b)].toSorted((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}
const grey = (l: number): Rgb => toLinear({ l, c: 0, h: 0 })

const sheet = readFileSync(join(import.meta.dirname, 'label-colours.css'), 'utf8')
const tokens = readFileSync(join(import.meta.dirname, '../../../ui/styles/tokens.css'), 'utf8')

const numbersOf = (theme: string) => {
  const start = theme === 'light' ? sheet.indexOf(':root {') : sheet.indexOf(`:root[data-theme="${theme}"]`)
  const block = sheet.slice(start, sheet.indexOf('}', start))
  const read = (name: string): number => Number(new RegExp(`${name}: ([\\d.]+)`).exec(block)?.[1])
  return {
    wash: { l: read('--label-wash-lightness'), c: read('--label-wash-chroma') },
    line: { l: read('--label-line-lightness'), c: read('--label-line-chroma') },
  }
}

/**
 * Returns the lightness of a token in a theme. The token is `light-dark(oklch(L …), oklch(L …))`, and the high-contrast theme
 * overrides it.
 */
const token = (name: string, theme: string): number => {
  const from = theme === 'high-contrast' ? tokens.indexOf('[data-theme="high-contrast"]') : 0
  const declared = new RegExp(`${name}: ([^;]+);`).exec(tokens.slice(from))?.[1] ?? ''
  const found = [...declared.matchAll(/oklch\(([\d.]+)/g)].map((match) => Number(match[1]))
  return found[theme === 'dark' ? 1 : 0] ?? Number.NaN
}

describe.each([
  ['light', 4.5],
  ['dark', 4.5],
  ['high-contrast', 7],
] as const)('label colors in %s', (theme, wanted) => {
  const { wash, line } = numbersOf(theme)
  const hues = Array.from({ length: 360 }, (_, hue) => hueOf(hslToLinear(hue)))

  test(`ink on every wash has ${wanted} to 1`, () => {
    const ink = grey(token('--ink', theme))
    expect(Math.min(...hues.map((h) => contrast(toLinear({ ...wash, h }), ink)))).toBeGreaterThanOrEqual(wanted)
  })

  test('every line has a contrast of 3 to 1 on its surface', () => {
    const surface = grey(token('--surface', theme))
    expect(Math.min(...hues.map((h) => contrast(toLinear({ ...line, h }), surface)))).toBeGreaterThanOrEqual(3)
  })
})
