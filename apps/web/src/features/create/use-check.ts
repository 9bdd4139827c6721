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

/** A file, and which sheet of it is read where it is a workbook. */
type Asked = { readonly id: string; readonly sheet?: string | null }

/**
 * What the first rows of a file would become, asked for again when what is asked has changed.
 * @param body null while there is nothing that could be asked
 */
export const useCheck = <B>(
  file: Asked | null,
  body: B | null,
  ask: (fileId: string, body: B, signal: AbortSignal) => Promise<FileCheck>,
): Check => {
  const settled = useSettled(body, pause)
  const { data, error, isPlaceholderData, isFetching } = useQuery({
    queryKey: ['file-check', file?.id, file?.sheet, settled],
    queryFn: ({ signal }) => ask(file?.id ?? '', settled as B, signal),
    enabled: file !== null && settled !== null,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isOld = isPlaceholderData || isFetching || JSON.stringify(settled) !== JSON.stringify(body)
  return { found: file === null ? null : (data ?? null), error, isOld }
}
