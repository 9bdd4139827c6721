import type { FileCheck } from '@postil/contract/files/imports.ts'
import { useQuery } from '@tanstack/react-query'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'

/** How long a form must stay unchanged before it is checked, in milliseconds. */
const pause = 350

export type Check = {
  readonly found: FileCheck | null
  readonly error: Error | null
  /** Whether the form has changed since the result was computed. */
  readonly isStale: boolean
}

/** Whether a check has found that none of the rows can become a record. */
export const hasNoRecords = ({ found, isStale }: Check): boolean =>
  found !== null && !isStale && found.rows > 0 && found.records.length === 0

type CheckedFile = { readonly id: string; readonly sheet?: string | null; readonly read_as?: string; readonly reading?: object }
const keyOf = (file: CheckedFile | null): string =>
  JSON.stringify(file && [file.id, file.sheet ?? null, file.read_as ?? null, file.reading ?? null])

/**
 * Checks how a file's rows would be imported, and checks again after each change. While a check is running, returns the previous
 * result if it is for the same file. Otherwise, returns no result.
 * @param body null if nothing can be checked
 */
export const useCheck = <B>(
  file: CheckedFile | null,
  body: B | null,
  ask: (fileId: string, body: B, signal: AbortSignal) => Promise<FileCheck>,
): Check => {
  const input = { file: keyOf(file), id: file?.id ?? '', body: file === null ? null : body }
  const settled = useDebouncedValue(input, pause)
  const { data, error, isPlaceholderData, isFetching } = useQuery({
    queryKey: ['file-check', settled.file, settled.body],
    queryFn: ({ signal }) => ask(settled.id, settled.body as B, signal),
    enabled: settled.body !== null,
    placeholderData: (last, query) => (query?.queryKey[1] === settled.file ? last : undefined),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isStale = isPlaceholderData || isFetching || JSON.stringify(settled) !== JSON.stringify(input)
  return { found: file === null || settled.file !== input.file ? null : (data ?? null), error, isStale }
}
