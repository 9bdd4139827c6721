import type { FileCheck } from '@postil/contract/imports.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSettled } from './use-settled.ts'

/** How long a form has to stay the same before it is checked, in milliseconds. */
const pause = 350

export type Check = {
  readonly found: FileCheck | null
  readonly error: Error | null
  /** What is shown is of a form that has changed since. */
  readonly isOld: boolean
}

/**
 * What the first rows of a file would become, asked for again when what is asked has changed.
 * @param body null while there is nothing that could be asked
 */
export const useCheck = <B>(
  fileId: string | null,
  body: B | null,
  ask: (fileId: string, body: B, signal: AbortSignal) => Promise<FileCheck>,
): Check => {
  const settled = useSettled(body, pause)
  const { data, error, isPlaceholderData, isFetching } = useQuery({
    queryKey: ['file-check', fileId, settled],
    queryFn: ({ signal }) => ask(fileId ?? '', settled as B, signal),
    enabled: fileId !== null && settled !== null,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isOld = isPlaceholderData || isFetching || JSON.stringify(settled) !== JSON.stringify(body)
  return { found: fileId === null ? null : (data ?? null), error, isOld }
}
