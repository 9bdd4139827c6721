import { crc32, deflateSync } from 'node:zlib'

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

const CHANNELS = { grey: { type: 0, bytes: 1 }, colour: { type: 2, bytes: 3 } } as const

/** A PNG as a data URL. Width and height are in pixels. Each pixel has one byte for gray, or three for red, green and blue. */
export const pngUrl = (
  width: number,
  height: number,
  kind: keyof typeof CHANNELS,
  paint: (pixels: Buffer, at: number, x: number, y: number) => void,
): string => {
  const { type, bytes } = CHANNELS[kind]
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits per channel.
  header.writeUInt8(8, 8)
  header.writeUInt8(type, 9)
  const line = width * bytes + 1
  const rows = Buffer.alloc(line * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) paint(rows, y * line + 1 + x * bytes, x, y)
  }
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
  return `data:image/png;base64,${png.toString('base64')}`
}

export const greyPng = (width: number, height: number): string =>
  pngUrl(width, height, 'grey', (pixels, at, x, y) => {
    pixels[at] = 60 + ((x >> 6) + (y >> 6) * 3) * 8
  })
