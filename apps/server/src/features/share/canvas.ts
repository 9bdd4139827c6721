import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'
import type { Letter } from './letters.ts'

type Colour = readonly [red: number, green: number, blue: number]

const PAPER: Colour = [250, 249, 245]
const INKS = { ink: [27, 34, 30], quiet: [87, 94, 86], accent: [12, 107, 80], line: [222, 220, 212] } as const
type Ink = keyof typeof INKS

const LEVELS = 15
const inks = Object.keys(INKS) as Ink[]

/**
 * The paper color, followed by 15 shades of each ink. The last shade is the ink itself. The other shades are mixed with the paper
 * color.
 */
const palette: readonly Colour[] = [
  PAPER,
  ...inks.flatMap((ink) =>
    Array.from({ length: LEVELS }, (_, i): Colour => {
      const share = (i + 1) / LEVELS
      const mixed = PAPER.map((paper, channel) => Math.round(paper + ((INKS[ink][channel] ?? 0) - paper) * share))
      return [mixed[0] ?? 0, mixed[1] ?? 0, mixed[2] ?? 0]
    }),
  ),
]

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
const pack = promisify(deflate)

/** A canvas with a paper-colored background and few colors, encoded as PNG. */
export class Canvas {
  readonly width: number
  readonly height: number
  // Each row starts with a PNG filter byte. The byte is 0, which means no filter.
  readonly #rows: Uint8Array

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
    this.#rows = new Uint8Array((width + 1) * height)
  }

  #set(x: number, y: number, ink: Ink, level: number): void {
    if (level <= 0 || x < 0 || y < 0 || x >= this.width || y >= this.height) return
    this.#rows[y * (this.width + 1) + 1 + x] = inks.indexOf(ink) * LEVELS + level
  }

  /** @param radius the corner radius */
  box(left: number, top: number, width: number, height: number, ink: Ink, radius = 0): void {
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const dx = Math.max(radius - x - 0.5, x + 0.5 - (width - radius), 0)
        const dy = Math.max(radius - y - 0.5, y + 0.5 - (height - radius), 0)
        const covered = radius === 0 ? 1 : Math.min(1, Math.max(0, radius - Math.hypot(dx, dy) + 0.5))
        this.#set(left + x, top + y, ink, Math.round(covered * LEVELS))
      }
    }
  }

  /** @param line the y position of the baseline */
  text(left: number, line: number, letters: readonly Letter[], ink: Ink): void {
    let pen = left
    for (const letter of letters) {
      for (let i = 0; i < letter.width * letter.height; i += 1) {
        const x = pen + letter.left + (i % letter.width)
        this.#set(x, line + letter.top + Math.floor(i / letter.width), ink, letter.level(i))
      }
      pen += letter.advance
    }
  }

  async png(): Promise<Buffer> {
    const head = Buffer.alloc(13)
    head.writeUInt32BE(this.width, 0)
    head.writeUInt32BE(this.height, 4)
    head.set([8, 3, 0, 0, 0], 8)
    const colours = Buffer.from(palette.flat())
    const data = await pack(this.#rows, { level: 6 })
    return Buffer.concat([
      SIGNATURE,
      chunk('IHDR', head),
      chunk('PLTE', colours),
      chunk('IDAT', data),
      chunk('IEND', Buffer.alloc(0)),
    ])
  }
}
