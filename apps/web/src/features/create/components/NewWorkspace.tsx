import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { KeyboardEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { isComposing } from '#lib/keys/is-composing.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { announce } from '#ui/telling/announcer.ts'
import { ErrorCode } from '#ui/telling/ErrorCode.tsx'
import { makeWorkspace } from '../api.ts'
import styles from './NewDatasetPage.module.css'

/** As the server takes them. */
const workspaceName = /^[a-zA-Z0-9_-]+$/

type Props = {
  /** The dataset cannot be made without one. */
  readonly isMissing: boolean
  /** The workspace is there, and in the list of all. */
  readonly onMade: (id: string) => void
  readonly onCancel: () => void
}

/** A workspace for the dataset, made on the way. It is no form of its own: it stands in the one of the dataset. */
export const NewWorkspace = ({ isMissing, onMade, onCancel }: Props) => {
  const { t } = useTranslation('features/create')
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const isGood = workspaceName.test(name.trim())
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  const make = useMutation({
    meta: { showsProblem: true },
    mutationFn: async () => {
      const made = await makeWorkspace(name.trim())
      await client.invalidateQueries({ queryKey: ['home'] })
      return made
    },
    onSuccess: (made) => {
      announce(t('workspace.made', { name: made.name }))
      // Who has given it up meanwhile may have chosen another.
      if (isHere.current) onMade(made.id)
    },
  })
  const submit = (): void => {
    setTried(true)
    if (isGood && !make.isPending) make.mutate()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if ((event.key !== 'Enter' && event.key !== 'Escape') || isComposing(event.nativeEvent)) return
    event.preventDefault()
    if (event.key === 'Enter') submit()
    else onCancel()
  }
  const refused = make.error instanceof ApiError && make.error.status === 409 ? t('workspace.taken') : null
  const missing = isMissing ? t('fault.workspace') : null
  const problem = make.error ? (refused ?? problemMessage(make.error)) : missing
  return (
    // biome-ignore lint/a11y/useSemanticElements: the input inside has the name
    <div role="group" aria-label={t('workspace.new')} className={styles['workspace']}>
      <Input
        label={t('workspace.name')}
        hint={t('workspace.hint')}
        error={tried && !isGood ? t('workspace.hint') : problem}
        // The button that asked for it is gone.
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        maxLength={500}
        value={name}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setName(event.target.value)
          make.reset()
        }}
      />
      {make.error && refused === null && <ErrorCode error={make.error} />}
      <div className={styles['workspaceDeeds']}>
        <Button onClick={onCancel}>{t('workspace.cancel')}</Button>
        <Button busy={make.isPending} onClick={submit}>
          {t('workspace.add')}
        </Button>
      </div>
    </div>
  )
}
