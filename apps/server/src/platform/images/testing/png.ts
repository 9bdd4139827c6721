import { crc32, deflateSync } from 'node:zlib'

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}

/** A PNG image in a single color. */
export const pngOf = ([red, green, blue]: readonly [number, number, number], size = 2): Uint8Array => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(size, 0)
  head.writeUInt32BE(size, 4)
  head[8] = 8
  head[9] = 2
  const line = Buffer.concat([Buffer.from([0]), ...Array.from({ length: size }, () => Buffer.from([red, green, blue]))])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: size }, () => line)))
  const magic = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return new Uint8Array(Buffer.concat([magic, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]))
}
