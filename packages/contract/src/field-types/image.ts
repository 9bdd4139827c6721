import { z } from 'zod'
import { isAtMost } from '#wire/code-points.ts'
import { message, type Reason } from '#wire/message.ts'
import { defineFieldType } from './define.ts'

const maxUrlLength = 2038
const maxDataUrlLength = 5_000_000
/** SVG has two names here. Browsers display `svg+xml`, but the published server accepts only `svg`. */
const mediaTypes: readonly string[] = ['avif', 'gif', 'ico', 'jpeg', 'jpg', 'png', 'svg', 'svg+xml', 'webp'].map(
  (name) => `image/${name}`,
)

const webUrl = /^https?:\/\/[^/?#]+\//i
const dataUrl = /^data:([^;,]*)[;,]/i
const scheme = /^([a-z][a-z0-9+.-]*):/i

const checkWebUrl = (url: string): Reason | null => {
  if (!webUrl.test(url)) return message('mustBeFullUrl')
  return isAtMost(url, maxUrlLength) ? null : message('mustBeShortUrl', { limit: maxUrlLength })
}

const checkDataUrl = (url: string): Reason | null => {
  if (!isAtMost(url, maxDataUrlLength)) return message('mustBeShortDataUrl', { limit: maxDataUrlLength })
  const mediaType = dataUrl.exec(url.slice(0, 200))?.[1]
  return mediaType !== undefined && mediaTypes.includes(mediaType)
    ? null
    : message('mustBeMediaType', { types: mediaTypes.join(', ') })
}

const checkImage = (value: unknown): Reason | null => {
  if (typeof value !== 'string') return message('mustBeImage')
  const name = scheme.exec(value.slice(0, 50))?.[1]?.toLowerCase()
  if (name === 'http' || name === 'https') return checkWebUrl(value)
  return name === 'data' ? checkDataUrl(value) : message('mustBeUrl')
}

const ImageFieldSettings = z.strictObject({ type: z.literal('image') })

export const imageField = defineFieldType({
  kind: 'image',
  createSettings: z.object({ type: z.literal('image') }),
  updateSettings: z.object({ type: z.literal('image') }),
  settings: ImageFieldSettings,
  check: checkImage,
  fixtures: {
    settings: { type: 'image' },
    valid: [
      'https://example.org/a.png',
      'HTTP://example.org/?q=1',
      'https://example.org/',
      'data:image/png;base64,AAAA',
      'data:image/svg,x',
      'data:image/svg+xml;base64,AAAA',
      `https://example.org/${'a'.repeat(maxUrlLength - 20)}`,
    ],
    invalid: [
      '',
      'a.png',
      '/a.png',
      'https://example.org',
      'https://example.org?q=1',
      'https:///a.png',
      'ftp://example.org/a.png',
      'javascript:alert(1)',
      'data:image/SVG+XML;base64,AAAA',
      'data:IMAGE/PNG;base64,AAAA',
      'data:text/html,<b>',
      'data:image/png',
      `https://example.org/${'a'.repeat(maxUrlLength - 19)}`,
      `data:image/png;base64,${'A'.repeat(maxDataUrlLength)}`,
      1,
      {},
      [],
    ],
  },
})
