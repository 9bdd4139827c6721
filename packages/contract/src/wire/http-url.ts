import { Fault, scalar } from './scalar.ts'

const maxUrlLength = 2083

/** An http or https URL, normalized: a bare host gets a trailing slash. */
export const httpUrl = scalar<string>({ type: 'string', format: 'uri' }, (value) => {
  if (typeof value !== 'string') return new Fault('url_type', 'URL input should be a string or URL')
  if (value.length > maxUrlLength) return new Fault('url_too_long', `URL should have at most ${maxUrlLength} characters`)
  const url = URL.parse(value.trim())
  if (url === null) return new Fault('url_parsing', 'Input should be a valid URL')
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  return isWeb ? url.href : new Fault('url_scheme', "URL scheme should be 'http' or 'https'")
})
