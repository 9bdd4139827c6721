import type { ImportColumn, ImportFile } from '@postil/contract/files/imports.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { HubSource, HubToken } from '#features/hub/service.ts'
import { beginHubImport } from '#features/hub/service.ts'
import { takeBack } from '#lib/api/take-back.ts'
import { beginImport, changeDataset, makeDataset, publish, removeDataset } from './api.ts'
import type { Draft } from './draft.ts'
import { mappingOf } from './wire.ts'

/** A split of a dataset of the hub, as the form holds it. */
export type HubInForm = {
  /** Tells it from other sources. */
  readonly id: string
  readonly name: string
  readonly hub: HubSource
  /** For a dataset that is not public; it goes with the request and is kept nowhere. */
  readonly token: HubToken
  readonly columns: readonly ImportColumn[]
  readonly rows: ImportFile['rows']
}
/** Where the records of a new dataset come from. */
export type FileInForm = (ImportFile & { readonly hub?: never }) | HubInForm

type Made = {
  readonly draft: Draft
  readonly file: FileInForm | null
  /** The draft dataset that is gone on with; null where there is none yet. */
  readonly storedId: string | null
}

export type Creation = {
  readonly busy: 'create' | 'save' | null
  /** Why the last try failed; null when none has. */
  readonly problem: unknown
  /** @returns the dataset's id; null when it failed, and then no more is there than was before */
  readonly create: (made: Made) => Promise<string | null>
  readonly save: (made: Made) => Promise<string | null>
}

/** Makes a dataset of what a form holds, step by step as the wire has them. */
export const useCreation = (): Creation => {
  const client = useQueryClient()
  const [busy, setBusy] = useState<Creation['busy']>(null)
  const [problem, setProblem] = useState<unknown>(null)
  /** A draft whose import could not be started is published by then. */
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
  const askHome = (): void => void client.invalidateQueries({ queryKey: ['home'] })
  /** What is known of a draft is not what there is now. */
  const forget = (id: string): void => client.removeQueries({ queryKey: ['dataset', id] })

  const finish = async (id: string, { draft, file }: Made): Promise<void> => {
    if (published.current !== id) await publish(id)
    published.current = id
    if (file?.hub) await beginHubImport(id, file.hub, { mapping: mappingOf(draft), token: file.token })
    else if (file) await beginImport(id, file.id, mappingOf(draft))
    forget(id)
  }

  return {
    busy,
    problem,
    create: (made) =>
      run('create', async () => {
        const { draft, file, storedId } = made
        if (storedId !== null) {
          if (published.current !== storedId) await changeDataset(storedId, draft, file)
          await finish(storedId, made)
          return storedId
        }
        const id = await makeDataset(draft, file, askHome)
        try {
          await finish(id, made)
        } catch (error) {
          published.current = null
          await takeBack(() => removeDataset(id), askHome)
          throw error
        }
        return id
      }),
    save: (made) =>
      run('save', async () => {
        const { draft, file, storedId } = made
        if (storedId === null) return makeDataset(draft, file, askHome)
        await changeDataset(storedId, draft, file)
        forget(storedId)
        return storedId
      }),
  }
}
