import { useState } from 'react'
import { useUser } from '#features/auth/public.ts'
import { usePreserveForm, useUnsavedForm } from '#lib/unsaved-forms.ts'
import type { Draft } from './draft.ts'
import { withNewKeys } from './draft.ts'
import type { FileInForm } from './use-creation.ts'

/** The state of a form that survives the end of a session. */
export type UnsavedForm = { readonly draft: Draft; readonly file: FileInForm | null }

/**
 * Returns the key of a form. If the form continues a draft, the key is based on the draft. Otherwise, it is based on the source,
 * if there is one.
 */
export const formKey = (storedId: string | null, source: string | null = null): string => `new ${storedId ?? source ?? ''}`

/** Returns the state that the form had when its user's session ended. Null if no state was stored. */
export const useUnsavedDatasetForm = (form: string): UnsavedForm | null => {
  const unsaved = useUnsavedForm<UnsavedForm>(useUser().id, form)
  const [formState] = useState(() => unsaved && { ...unsaved, draft: withNewKeys(unsaved.draft) })
  return formState
}

/** Stores the state of a form until after the next sign-in. */
export const usePreserveDatasetForm = (form: string, { draft, file }: UnsavedForm, hasChanges: boolean): void =>
  usePreserveForm(form, () => {
    if (!hasChanges) return undefined
    // Tokens are never stored.
    return { draft, file: file?.hub ? { ...file, token: null } : file } satisfies UnsavedForm
  })
