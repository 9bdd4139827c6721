import type { FileCheck } from '@postil/contract/files/imports.ts'
import { useQuery } from '@tanstack/react-query'
import { useSettled } from '#lib/use-settled.ts'

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
const keyOf = (file: Asked | null): string => JSON.stringify(file && [file.id, file.sheet ?? null])

/**
 * What the rows of a file would become, asked for again when what is asked has changed. Until then it is what was found of the same
 * file last, and of another one nothing.
 * @param body null while there is nothing that could be asked
 */
export const useCheck = <B>(
  file: Asked | null,
  body: B | null,
  ask: (fileId: string, body: B, signal: AbortSignal) => Promise<FileCheck>,
): Check => {
  const wanted = { file: keyOf(file), id: file?.id ?? '', body: file === null ? null : body }
  const settled = useSettled(wanted, pause)
  const { data, error, isPlaceholderData, isFetching } = useQuery({
    queryKey: ['file-check', settled.file, settled.body],
    queryFn: ({ signal }) => ask(settled.id, settled.body as B, signal),
    enabled: settled.body !== null,
    placeholderData: (last, query) => (query?.queryKey[1] === settled.file ? last : undefined),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isOld = isPlaceholderData || isFetching || JSON.stringify(settled) !== JSON.stringify(wanted)
  return { found: file === null || settled.file !== wanted.file ? null : (data ?? null), error, isOld }
}
