import { TransferError } from '../transfer-error.ts'

/**
 * The base address of a server as a person typed it, without a slash at the end; `/api/v1` at the end is left out. Without a scheme it is
 * `https`, for this machine `http`.
 * @throws TransferError for what is no address of the web
 */
export const sourceAddress = (typed: string): URL => {
  // NOTE: a key goes there: in the clear only to this machine, or where that is asked for
  const scheme = /^(localhost|127\.\d|\[::1\])/i.test(typed) ? 'http' : 'https'
  const text = typed.includes('://') ? typed : `${scheme}://${typed}`
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TransferError(`'${typed}' is not the address of a server: give one like https://annotate.example.org.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new TransferError('The address must not hold a user name or password: the server is asked with --api-key.')
  }
  url.search = ''
  url.hash = ''
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
  return url
}

/** The address as people read it. */
export const shownAddress = (url: URL): string => url.href.replace(/\/$/, '')
