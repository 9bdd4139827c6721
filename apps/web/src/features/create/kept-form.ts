import { useState } from 'react'
import { useUser } from '#features/auth/service.ts'
import { useKeeping, useKept } from '#lib/unsaved.ts'
import type { Draft } from './draft.ts'
import { withNewKeys } from './draft.ts'
import type { FileInForm } from './use-creation.ts'

/** What a form holds that outlives the end of a session. */
export type KeptForm = { readonly draft: Draft; readonly file: FileInForm | null }

/** Names a form by what is made in it: the draft that is gone on with, else the source, else nothing. */
export const nameOfForm = (storedId: string | null, source: string | null = null): string => `new ${storedId ?? source ?? ''}`

/** What the form held when the session of its user ended; null when there is nothing. */
export const useKeptForm = (form: string): KeptForm | null => {
  const kept = useKept<KeptForm>(useUser().id, form)
  const [made] = useState(() => kept && { ...kept, draft: withNewKeys(kept.draft) })
  return made
}

/** Keeps what a form holds for the time after the next sign-in. */
export const useKeepingForm = (form: string, { draft, file }: KeptForm, hasChanges: boolean): void =>
  useKeeping(form, () => {
    if (!hasChanges) return undefined
    // A token is kept nowhere.
    return { draft, file: file?.hub ? { ...file, token: null } : file } satisfies KeptForm
  })
