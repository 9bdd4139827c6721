import type { SavedView } from '@postil/contract/saved-views.ts'
import { maxViewQuery } from '@postil/contract/wire/limits.ts'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Switch } from '#ui/controls/Switch.tsx'
import { Notice } from '#ui/feedback/Notice.tsx'
import { SaveIcon } from '#ui/marks/icons.tsx'
import { useMissingName, useNameFault, useViews } from '../use-views.ts'
import { NameInput } from './NameInput.tsx'
import styles from './ViewsPanel.module.css'

type Props = {
  readonly datasetId: string
  /** The current search in the format that views store. */
  readonly query: string
  readonly onSaved: (view: SavedView) => void
  readonly onCancel: () => void
}

export const SaveForm = ({ datasetId, query, onSaved, onCancel }: Props) => {
  const { t } = useTranslation('features/saved-views')
  const { create } = useViews(datasetId)
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const missing = useMissingName()
  const fault = useNameFault(create.error, missing.isMissing)
  if (query.length > maxViewQuery) return <Notice kind="warning">{t('tooMuch')}</Notice>
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (missing.exists(name, event.currentTarget) && !create.isPending)
          create.mutate({ name: name.trim(), query, shared }, { onSuccess: onSaved })
      }}
    >
      <NameInput
        name={name}
        fault={fault}
        onChange={(typed) => {
          setName(typed)
          missing.forget()
          create.reset()
        }}
      />
      <Switch label={t('share')} hint={t('shareHint')} checked={shared} onChange={setShared} />
      <div className={styles['actions']}>
        <Button onClick={onCancel}>{t('cancel')}</Button>
        <Button type="submit" look="primary" icon={SaveIcon} busy={create.isPending}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}
