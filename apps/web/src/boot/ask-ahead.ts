import { queryText } from '@postil/client/address.ts'
import { searchBody } from '#features/annotate/address/search-body.ts'
import { queueRequest, type RecordsRequest, searchRequest, setupPath } from '#features/annotate/first-requests.ts'
import { handedAtOnce } from '#features/annotate/queue/item.ts'
import { csrfHeader, type EarlyAnswers, nameOfRequest } from '#lib/api/early.ts'
import { emptyQuery, pageSizes } from '#lib/url/grammar.ts'

/** For so long an answer is as good as one that is asked for now, in milliseconds; a slow connection takes a while until it is taken. */
const lifetime = 30_000

/** What the list begins with, where the address says no more than a place in it; other lists are read by the page itself. */
const firstRecords = (id: string, query: string): RecordsRequest | null => {
  if (query === '') return queueRequest(id, { limit: handedAtOnce, exclude: [] })
  const [, start, size] = /^\?page=(\d{1,9})~(\d{1,4})$/.exec(query) ?? []
  if (start === undefined || Number(start) < 1 || !pageSizes.includes(Number(size))) return null
  return searchRequest(id, searchBody(emptyQuery), { offset: Number(start) - 1, limit: Number(size) })
}

/** Asks for what the screen of an address shows first; the page takes the answers when it gets to ask (`lib/api/early.ts`). */
export const askAhead = (base: string, at: string, query: string): void => {
  const asked: EarlyAnswers = new Map()
  const ask = (address: string, body?: object): void => {
    const url = base.replace(/\/$/, '') + address
    const text = body && JSON.stringify(body)
    const method = body ? 'POST' : 'GET'
    const answer = fetch(url, {
      method,
      ...(text && { body: text }),
      headers: { accept: 'application/json', ...(text && { 'content-type': 'application/json', ...csrfHeader }) },
      credentials: 'same-origin',
    })
    // Whoever takes it asks anew.
    answer.catch(() => undefined)
    asked.set(nameOfRequest(method, url, text), answer)
  }
  ask('/api/v1/me')
  if (at === '') ask('/api/v1/me/home')
  const [, id] = /^dataset\/([\w-]+)\/annotation-mode$/.exec(at) ?? []
  if (id !== undefined) {
    const records = firstRecords(id, query)
    if (records) ask(records.path + queryText(records.query), records.body)
    ask(setupPath(id))
  }
  Object.assign(globalThis, { postilEarly: asked })
  setTimeout(() => asked.clear(), lifetime)
}
