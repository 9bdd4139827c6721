import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/Button.tsx'
import { Input } from '#ui/Input.tsx'
import { ArrowRightIcon } from '#ui/icons.tsx'
import { repoIdOf } from '../repo-id.ts'
import styles from './HubStart.module.css'

/** A place for the id or the address of a dataset of the hub, which leads to making a dataset of it. */
export const HubStart = () => {
  const { t } = useTranslation('features/hub')
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const id = repoIdOf(text)
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (id !== null) void navigate({ to: '/new/{-$datasetId}', params: { datasetId: id } })
      }}
    >
      <Input
        label={t('start.label')}
        hint={t('start.hint')}
        error={tried && id === null ? t('start.fault') : null}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className={styles['action']}>
        <Button type="submit" size="main" icon={ArrowRightIcon}>
          {t('start.action')}
        </Button>
      </div>
    </form>
  )
}
