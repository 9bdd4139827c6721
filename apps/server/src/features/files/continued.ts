import type { SearchBody } from '@postil/contract/search.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'

/** Whether a record's place in the order of a search is never another one: a change of it, of others or of answers moves nothing. */
const isLasting = ({ query, sort }: SearchBody): boolean => {
  if (query?.vector) return false
  if (!sort) return !query?.text
  const lasting: readonly string[] = ['id', 'external_id', 'inserted_at']
  return sort.every(({ scope }) => scope.entity === 'record' && lasting.includes(scope.property))
}

/**
 * What a search finds behind a record that a file broke off after. In order of insertion the record need not be found any more.
 * @param found in the order of the search. @throws Problem unprocessable where it is not certain what was in the file already
 */
export const foundBehind = (found: Float64Array, afterSeq: number, search: SearchBody): Float64Array => {
  if (!isLasting(search))
    throw unprocessable(
      'In the order of this search records change their places, so it is not certain which ones the file has already: download it anew, without `after`',
    )
  if (!search.sort) return found.filter((seq) => seq > afterSeq)
  const at = found.indexOf(afterSeq)
  if (at < 0)
    throw unprocessable(
      'The search does not find the record `after` any more, so its place in this order is not known: download the file anew, without `after`',
    )
  return found.subarray(at + 1)
}
