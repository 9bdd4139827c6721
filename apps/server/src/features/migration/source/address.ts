import { MigrationError } from '../migration-error.ts'

/**
 * Returns the base URL of the server that the user entered. Removes a trailing slash and `/api/v1`. If the scheme is missing,
 * adds `https`, or `http` for this machine.
 * @throws MigrationError if it isn't an HTTP URL
 */
export const sourceAddress = (typed: string): URL => {
  // Requests carry an API key, so plain HTTP is used only for this machine or when requested explicitly.
  const scheme = /^(localhost|127\.\d|\[::1\])/i.test(typed) ? 'http' : 'https'
  const text = typed.includes('://') ? typed : `${scheme}://${typed}`
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new MigrationError(`'${typed}' is not a server URL. Use a URL such as https://annotate.example.org.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new MigrationError('The URL must not contain a username or password. Authenticate with --api-key.')
  }
  url.search = ''
  url.hash = ''
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
  return url
}

/** Formats the URL for display. */
export const shownAddress = (url: URL): string => url.href.replace(/\/$/, '')
