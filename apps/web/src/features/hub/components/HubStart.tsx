import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { ArrowRightIcon } from '#ui/marks/icons.tsx'
import { repoIdOf } from '../repo-id.ts'
import styles from './HubStart.module.css'

type Props = {
  /** The ID of the previous attempt, and a function that retries it. */
  readonly last?: { readonly id: string; readonly onRetry: () => void }
  /**
   * Whether the button is inside the input, as in a sidebar. If so, the input's label is visually hidden, because the surrounding
   * heading already names the input.
   */
  readonly isNarrow?: boolean
}

/** An input for the ID or address of a Hub dataset. Opens the form that creates a dataset from it. */
export const HubStart = ({ last, isNarrow = false }: Props) => {
  const { t } = useTranslation('features/hub')
  const navigate = useNavigate()
  const [text, setText] = useState(last?.id ?? '')
  const [hasTried, setHasTried] = useState(false)
  const id = repoIdOf(text)
  return (
    <form
      className={isNarrow ? undefined : styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setHasTried(true)
        if (id === null) return
        if (id === last?.id) last.onRetry()
        else void navigate({ to: '/new/{-$datasetId}', params: { datasetId: id } })
      }}
    >
      <Input
        label={t('start.label')}
        hideLabel={isNarrow}
        after={isNarrow && <IconButton type="submit" icon={ArrowRightIcon} label={t('start.action')} />}
        hint={t('start.hint')}
        error={hasTried && id === null ? t('start.fault') : null}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {!isNarrow && (
        <div className={styles['action']}>
          <Button type="submit" icon={ArrowRightIcon}>
            {t('start.action')}
          </Button>
        </div>
      )}
    </form>
  )
}
