import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Notice } from '#ui/feedback/Notice.tsx'
import type { GoldSender, UnsentGold } from './gold-sender.ts'
import styles from './ReviewPage.module.css'

type Props = {
  readonly unsent: readonly UnsentGold[]
  /** The record that is shown. It shows its own conflict. */
  readonly current: string | null
  readonly sender: GoldSender
  readonly onShow: (recordId: string) => void
}

/** The final answers that aren't stored yet: those that wait for the server, and those that need a decision. */
export const UnsentList = ({ unsent, current, sender, onShow }: Props) => {
  const { t } = useTranslation('features/review')
  const waiting = unsent.filter(({ state }) => state.kind === 'waiting').length
  return (
    <div className={styles['unsent']} role="status">
      {waiting > 0 && (
        <Notice kind="warning" action={<Button onClick={sender.retryAll}>{t('unsent.retry')}</Button>}>
          {t('unsent.waiting', { count: waiting, shown: formatCount(waiting) })}
        </Notice>
      )}
      {unsent.map(({ recordId, title, state }) => {
        if (state.kind === 'conflict' && recordId !== current)
          return (
            <Notice
              key={recordId}
              kind="warning"
              action={<Button onClick={() => onShow(recordId)}>{t('unsent.show', { title })}</Button>}
            >
              {state.current
                ? t('unsent.conflict', { title, name: state.current.by.username ?? t('formerUser') })
                : t('unsent.deleted', { title })}
            </Notice>
          )
        if (state.kind !== 'rejected') return null
        return (
          <Notice
            key={recordId}
            kind="danger"
            action={
              <span className={styles['buttons']}>
                <Button onClick={() => sender.drop(recordId)}>{t('unsent.discard')}</Button>
                <Button onClick={() => sender.retry(recordId)}>{t('unsent.retry')}</Button>
              </span>
            }
          >
            {t('unsent.rejected', { title, problem: problemMessage(state.problem) })}
          </Notice>
        )
      })}
    </div>
  )
}
