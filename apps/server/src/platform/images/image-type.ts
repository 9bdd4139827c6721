const ascii = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.subarray(start, end)).toString('latin1')

const PNG = '\x89PNG\r\n\x1a\n'

/** An image's media type, detected from its first bytes. Null if they are not recognized. */
export const knownImageType = (bytes: Uint8Array): string | null => {
  if (ascii(bytes, 0, 8) === PNG) return 'image/png'
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg'
  if (/^GIF8[79]a/.test(ascii(bytes, 0, 6))) return 'image/gif'
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp'
  if (ascii(bytes, 4, 8) === 'ftyp') {
    const brand = ascii(bytes, 8, 12)
    if (brand.startsWith('avi')) return 'image/avif'
    return /^(he[iv][cxms]|mif1|msf1)/.test(brand) ? 'image/heic' : null
  }
  if (ascii(bytes, 0, 2) === 'BM' && ascii(bytes, 6, 10) === '\0\0\0\0') return 'image/bmp'
  if (['II*\0', 'MM\0*'].includes(ascii(bytes, 0, 4))) return 'image/tiff'
  return null
}

/** An image's media type, detected from its first bytes. PNG if they are not recognized. */
export const imageType = (bytes: Uint8Array): string => knownImageType(bytes) ?? 'image/png'
