import { z } from 'zod'
import { isAtMost } from '#wire/code-points.ts'
import { defineFieldType } from './define.ts'

const maxUrlLength = 2038
const maxDataUrlLength = 5_000_000
const mediaTypes: readonly string[] = ['avif', 'gif', 'ico', 'jpeg', 'jpg', 'png', 'svg', 'webp'].map((name) => `image/${name}`)

const webUrl = /^https?:\/\/[^/?#]+\//i
const dataUrl = /^data:([^;,]*)[;,]/i
const scheme = /^([a-z][a-z0-9+.-]*):/i

const checkWebUrl = (url: string): string | null => {
  if (!webUrl.test(url)) return 'must be a URL with a host and a path'
  return isAtMost(url, maxUrlLength) ? null : `must be a URL of at most ${maxUrlLength} characters`
}

const checkDataUrl = (url: string): string | null => {
  if (!isAtMost(url, maxDataUrlLength)) return `must be a data URL of at most ${maxDataUrlLength} characters`
  const mediaType = dataUrl.exec(url.slice(0, 200))?.[1]
  return mediaType !== undefined && mediaTypes.includes(mediaType)
    ? null
    : `must be a data URL with one of the media types ${mediaTypes.join(', ')}`
}

const checkImage = (value: unknown): string | null => {
  if (typeof value !== 'string') return 'must be the URL of an image'
  const name = scheme.exec(value.slice(0, 50))?.[1]?.toLowerCase()
  if (name === 'http' || name === 'https') return checkWebUrl(value)
  return name === 'data' ? checkDataUrl(value) : 'must be a URL that begins with http:, https: or data:'
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
      'data:image/svg+xml;base64,AAAA',
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
