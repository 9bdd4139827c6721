import type { SearchBody } from '@postil/contract/search.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'

/** Whether a search's order is stable: no record changes its position when records or answers change. */
const isStableOrder = ({ query, sort }: SearchBody): boolean => {
  if (query?.vector) return false
  if (!sort) return !query?.text
  const stableKeys: readonly string[] = ['id', 'external_id', 'inserted_at']
  return sort.every(({ scope }) => scope.entity === 'record' && stableKeys.includes(scope.property))
}

/**
 * The records that a search finds after the last record of an interrupted file. If the results are in insertion order, the search
 * can continue even if it no longer finds that last record.
 * @param found the search results, in search order. @throws Problem unprocessable if the content of the interrupted file can't be
 * determined
 */
export const foundAfter = (found: Float64Array, afterSeq: number, search: SearchBody): Float64Array => {
  if (!isStableOrder(search))
    throw unprocessable(
      'This sort order changes as records change, so the download cannot be continued. Start it again without `after`',
    )
  if (!search.sort) return found.filter((seq) => seq > afterSeq)
  const at = found.indexOf(afterSeq)
  if (at < 0)
    throw unprocessable(
      'The record `after` no longer matches the search, so the download cannot be continued. Start it again without `after`',
    )
  return found.subarray(at + 1)
}
