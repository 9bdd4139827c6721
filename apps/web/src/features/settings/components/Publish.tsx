import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { buttonClass } from '#ui/controls/button-class.ts'
import { Notice } from '#ui/feedback/Notice.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import type { SettingsCalls } from '../api.ts'
import { isMissing } from '../use-save.ts'
import styles from './SettingsPage.module.css'

/**
 * Lets the user publish a draft dataset, or open its creation form to add missing parts. If parts are missing, the server refuses
 * to publish the draft and names them.
 */
export const Publish = ({ datasetId, calls }: { readonly datasetId: string; readonly calls: SettingsCalls }) => {
  const { t } = useTranslation('features/settings')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const publish = async (): Promise<void> => {
    setBusy(true)
    setProblem(null)
    await calls.publish().catch((error: unknown) => {
      setProblem(error)
      // If the dataset was deleted, refetching it makes the page report the deletion. The page's message is clearer than this
      // error.
      if (isMissing(error)) calls.readDataset().catch(() => {})
    })
    setBusy(false)
  }
  return (
    <>
      <Notice
        kind="info"
        action={
          <span className={styles['publish']}>
            <Link to="/new/{-$datasetId}" params={{ datasetId }} className={buttonClass()}>
              {t('general.goOn')}
            </Link>
            <Button busy={busy} onClick={() => void publish()}>
              {t('general.publish')}
            </Button>
          </span>
        }
      >
        {t('general.draft')}
      </Notice>
      {problem !== null && <ProblemNotice error={problem} isAlert />}
    </>
  )
}
