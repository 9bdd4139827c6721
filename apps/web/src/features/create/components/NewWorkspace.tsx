import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { KeyboardEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { isComposing } from '#lib/keys/is-composing.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { announce } from '#ui/feedback/announcer.ts'
import { ErrorCode } from '#ui/feedback/ErrorCode.tsx'
import { addWorkspace } from '../api.ts'
import styles from './NewDatasetPage.module.css'

/** The names that the server accepts. */
const workspaceName = /^[a-zA-Z0-9_-]+$/

type Props = {
  /** Whether the user has tried to create the dataset without a workspace. */
  readonly isMissing: boolean
  /** Called when the workspace has been created and is in the list. */
  readonly onCreated: (id: string) => void
  readonly onCancel: () => void
}

/** Creates a workspace while creating a dataset. It isn't a form element, because it is inside the dataset's form. */
export const NewWorkspace = ({ isMissing, onCreated, onCancel }: Props) => {
  const { t } = useTranslation('features/create')
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [hasTried, setHasTried] = useState(false)
  const isValid = workspaceName.test(name.trim())
  const isNameTaken = useRef(true)
  useEffect(() => {
    isNameTaken.current = true
    return () => {
      isNameTaken.current = false
    }
  }, [])
  const create = useMutation({
    meta: { showsProblem: true },
    mutationFn: async () => {
      const created = await addWorkspace(name.trim())
      await client.invalidateQueries({ queryKey: ['home'] })
      return created
    },
    onSuccess: (created) => {
      announce(t('workspace.made', { name: created.name }))
      // The user may have canceled in the meantime and chosen another workspace.
      if (isNameTaken.current) onCreated(created.id)
    },
  })
  const submit = (): void => {
    setHasTried(true)
    if (isValid && !create.isPending) create.mutate()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if ((event.key !== 'Enter' && event.key !== 'Escape') || isComposing(event.nativeEvent)) return
    event.preventDefault()
    if (event.key === 'Enter') submit()
    else onCancel()
  }
  const refused = create.error instanceof ApiError && create.error.status === 409 ? t('workspace.taken') : null
  const missing = isMissing ? t('fault.workspace') : null
  const problem = create.error ? (refused ?? problemMessage(create.error)) : missing
  return (
    // biome-ignore lint/a11y/useSemanticElements: the input inside has the name
    <div role="group" aria-label={t('workspace.new')} className={styles['workspace']}>
      <Input
        label={t('workspace.name')}
        hint={t('workspace.hint')}
        error={hasTried && !isValid ? t('workspace.hint') : problem}
        // The button that opened this form is gone, so the input takes the focus.
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        maxLength={500}
        value={name}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setName(event.target.value)
          create.reset()
        }}
      />
      {create.error && refused === null && <ErrorCode error={create.error} />}
      <div className={styles['workspaceDeeds']}>
        <Button onClick={onCancel}>{t('workspace.cancel')}</Button>
        <Button busy={create.isPending} onClick={submit}>
          {t('workspace.add')}
        </Button>
      </div>
    </div>
  )
}
