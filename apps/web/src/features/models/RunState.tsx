import type { ModelRun } from '@postil/contract/model-runs.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isAtWork } from './api.ts'
import styles from './models.module.css'

/** The state of a run, in one word. */
export const RunState = ({ run }: { readonly run: ModelRun }) => {
  const { t } = useTranslation('features/models')
  const isPublishing = run.state !== 'running' && isAtWork(run)
  const state = isPublishing ? 'publishing' : run.published_at !== null ? 'published' : run.state
  return (
    <span className={styles['state']} data-state={state}>
      {t(`state.${state}`)}
    </span>
  )
}
