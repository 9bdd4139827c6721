// Renders the letters of the progress card as bitmaps, because the server draws text without a font engine. Run this only when
// the typeface or the sizes change:
// npx node scripts/card-glyphs.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { chromium as driver } from 'playwright-core'
import { chromium as find } from './lib/chromium.mjs'

const root = join(import.meta.dirname, '..')
const fonts = join(root, 'node_modules/@fontsource-variable/atkinson-hyperlegible-next/files')
const from = (first, last) => Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i))
const LATIN = [...from(0x20, 0x7e), ...from(0xa1, 0x17f), ...'–—‘’“”„…'].filter((letter) => letter !== '\u00ad')

/** The name, size in pixels, weight and letters of each set. */
const SETS = [
  ['figure', 150, 700, [...'0123456789.%']],
  ['title', 54, 700, LATIN],
  ['note', 34, 400, LATIN],
]

const face = (file, range) =>
  `@font-face { font-family: Card; font-weight: 200 800; src: url(data:font/woff2;base64,${readFileSync(join(fonts, file)).toString('base64')}); unicode-range: ${range} }`

const browser = await driver.launch({ executablePath: await find(), headless: true, args: ['--no-sandbox'] })
const page = await browser.newPage()
await page.setContent(
  `<style>${face('atkinson-hyperlegible-next-latin-ext-wght-normal.woff2', 'U+0100-024F')}${face('atkinson-hyperlegible-next-latin-wght-normal.woff2', 'U+0000-00FF, U+2000-206F')}</style>`,
)
const drawn = await page.evaluate(async (sets) => {
  for (const [, size, weight, letters] of sets) await document.fonts.load(`${weight} ${size}px Card`, letters.join(''))
  return sets.map(([name, size, weight, letters]) => {
    const side = size * 2
    const canvas = new OffscreenCanvas(side, side)
    const context = canvas.getContext('2d', { willReadFrequently: true })
    context.font = `${weight} ${size}px Card`
    const glyphs = letters.map((letter) => {
      context.clearRect(0, 0, side, side)
      context.fillText(letter, size / 2, size * 1.5)
      const { data } = context.getImageData(0, 0, side, side)
      const alpha = (x, y) => data[(y * side + x) * 4 + 3]
      const dots = Array.from({ length: side * side }, (_, i) => i).filter((i) => data[i * 4 + 3] >= 8)
      const box = (places) => places.reduce(([low, high], at) => [Math.min(low, at), Math.max(high, at + 1)], [side, 0])
      const [left, right] = box(dots.map((i) => i % side))
      const [top, bottom] = box(dots.map((i) => Math.floor(i / side)))
      const isEmpty = dots.length === 0
      const width = isEmpty ? 0 : right - left
      const height = isEmpty ? 0 : bottom - top
      const levels = Array.from({ length: width * height }, (_, i) =>
        Math.round(alpha(left + (i % width), top + Math.floor(i / width)) / 17),
      )
      const advance = Math.round(context.measureText(letter).width)
      return {
        code: letter.codePointAt(0),
        advance,
        left: isEmpty ? 0 : left - size / 2,
        top: isEmpty ? 0 : top - size * 1.5,
        width,
        height,
        levels,
      }
    })
    return { name, size, glyphs }
  })
}, SETS)
await browser.close()

/** Each letter: code, advance, left and top offset, width, height, then its gray levels, two per byte. */
const packed = ({ glyphs }) => {
  const parts = glyphs.map(({ code, advance, left, top, width, height, levels }) => {
    const head = Buffer.alloc(12)
    for (const [i, value] of [code, advance, left, top, width, height].entries()) head.writeInt16LE(Math.round(value), i * 2)
    const pairs = Array.from({ length: Math.ceil(levels.length / 2) }, (_, i) => (levels[2 * i] << 4) | (levels[2 * i + 1] ?? 0))
    return Buffer.concat([head, Buffer.from(pairs)])
  })
  return deflateRawSync(Buffer.concat(parts), { level: 9 }).toString('base64')
}
const lines = drawn.map((set) => `  ${set.name}: '${packed(set)}',`)
const head = `/**
 * Letters of Atkinson Hyperlegible Next (SIL Open Font License 1.1) as images, made by \`scripts/card-glyphs.mjs\`: by set, deflated and in
 * base64. Read by \`letters.ts\`.
 */
`
writeFileSync(
  join(root, 'apps/server/src/features/share/glyphs.gen.ts'),
  `${head}export const glyphs = {\n${lines.join('\n')}\n} as const\n`,
)
