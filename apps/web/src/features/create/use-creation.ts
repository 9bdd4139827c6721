import type { ImportColumn, ImportFile } from '@postil/contract/files/imports.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { HubSource, HubToken } from '#features/hub/public.ts'
import { beginHubImport } from '#features/hub/public.ts'
import { undoWithRetry } from '#lib/api/undo-with-retry.ts'
import type { AnnotatorBody } from './annotators.ts'
import { createDatasetWithParts, publish, removeDataset, startImportJob, updateDatasetParts } from './api.ts'
import type { Draft } from './draft.ts'
import { mappingOf } from './wire.ts'

/** A split of a Hub dataset, as the form's state. */
export type HubSourceInForm = {
  /** The ID that distinguishes this source from others. */
  readonly id: string
  readonly name: string
  readonly hub: HubSource
  /** The token for a private dataset. It is sent with the request and never stored. */
  readonly token: HubToken
  readonly columns: readonly ImportColumn[]
  readonly rows: ImportFile['rows']
}
/** The source of a new dataset's records. */
export type FileInForm = (ImportFile & { readonly hub?: never }) | HubSourceInForm

type FormContent = {
  readonly draft: Draft
  readonly file: FileInForm | null
  /** How the annotations in the file are imported. Undefined if all of them are imported as suggestions. */
  readonly annotators: readonly AnnotatorBody[] | undefined
  /** The draft dataset to continue, or null. */
  readonly storedId: string | null
}

export type Creation = {
  readonly busy: 'create' | 'save' | null
  /** The error of the last attempt, or null. */
  readonly problem: unknown
  /** @returns the dataset's ID, or null on failure, in which case nothing was created */
  readonly create: (content: FormContent) => Promise<string | null>
  readonly save: (content: FormContent) => Promise<string | null>
}

/** Creates a dataset from a form's state through a series of API calls. */
export const useCreation = (): Creation => {
  const client = useQueryClient()
  const [busy, setBusy] = useState<Creation['busy']>(null)
  const [problem, setProblem] = useState<unknown>(null)
  /** The ID of a draft that was published but whose import couldn't be started, or null. */
  const published = useRef<string | null>(null)

  const run = async (kind: 'create' | 'save', work: () => Promise<string>): Promise<string | null> => {
    setBusy(kind)
    setProblem(null)
    try {
      return await work()
    } catch (error) {
      setProblem(error)
      return null
    } finally {
      setBusy(null)
      await client.invalidateQueries({ queryKey: ['home'] })
    }
  }
  const refreshHome = (): void => void client.invalidateQueries({ queryKey: ['home'] })
  /** Removes the draft's cached data, which is stale. */
  const dropCached = (id: string): void => client.removeQueries({ queryKey: ['dataset', id] })

  const finish = async (id: string, { draft, file, annotators }: FormContent): Promise<void> => {
    if (published.current !== id) await publish(id)
    published.current = id
    if (file?.hub) await beginHubImport(id, file.hub, { mapping: mappingOf(draft), token: file.token })
    else if (file) await startImportJob(id, file.id, mappingOf(draft, annotators))
    dropCached(id)
  }

  return {
    busy,
    problem,
    create: (content) =>
      run('create', async () => {
        const { storedId } = content
        if (storedId !== null) {
          if (published.current !== storedId) await updateDatasetParts(storedId, content)
          await finish(storedId, content)
          return storedId
        }
        const id = await createDatasetWithParts(content, refreshHome)
        try {
          await finish(id, content)
        } catch (error) {
          published.current = null
          await undoWithRetry(() => removeDataset(id), refreshHome)
          throw error
        }
        return id
      }),
    save: (content) =>
      run('save', async () => {
        const { storedId } = content
        if (storedId === null) return createDatasetWithParts(content, refreshHome)
        await updateDatasetParts(storedId, content)
        dropCached(storedId)
        return storedId
      }),
  }
}
