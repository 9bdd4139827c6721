import type { Question } from '@postil/contract/questions.ts'
import { formatCount, formatList } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { Answers } from '#lib/drafts/draft.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import { valuesToSend } from '../answering/answers.ts'
import { AnswerList } from '../record/AnswerList.tsx'
import styles from './ConfirmBulkDialog.module.css'
import { OfferedSuggestions } from './OfferedSuggestions.tsx'
import type { BulkAction, Offer } from './use-bulk-answers.ts'

type Props = {
  readonly action: BulkAction
  readonly count: number
  /**
   * The questions whose suggestions the bulk answer would store although nobody has confirmed them. `accepted` contains the names
   * of the questions whose suggestions the user has accepted.
   */
  readonly offers: readonly Offer[]
  readonly accepted: ReadonlySet<string>
  readonly onToggle: (name: string) => void
  /** The number of records that would lack a required answer. Null if it is unknown. */
  readonly leftOut: number | null
  /** The questions that are answered once for all records, and their answers. */
  readonly common: readonly Question[]
  readonly answers: Answers
  readonly inText: readonly Question[]
  /**
   * Set if all records that match the search are answered. A job on the server then stores the answers. Null if only the page's
   * records are answered.
   */
  readonly matched: { readonly unsent: number; readonly isStarting: boolean } | null
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Used instead of a record. Questions that are answered once for all records don't need a record's text. */
const noRecord = { fields: {} }

export const ConfirmBulkDialog = ({
  action: { status, source },
  count,
  offers,
  accepted,
  onToggle,
  leftOut,
  common,
  answers,
  inText,
  matched,
  onConfirm,
  onClose,
}: Props) => {
  const { t } = useTranslation('features/annotate')
  const isAccepting = source === 'suggestions'
  const counted = { count, formatted: formatCount(count) }
  const words = isAccepting ? t('bulk.confirm.suggestions', counted) : t(`bulk.confirm.${status}`, counted)
  const unsent = matched?.unsent ?? 0
  const values = valuesToSend(common, answers)
  const titles = inText.map(({ title }) => title)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={words}
      actions={
        <>
          <Button onClick={onClose}>{t('bulk.cancel')}</Button>
          <Button
            look="primary"
            busy={matched?.isStarting ?? false}
            blocked={unsent > 0 || leftOut === count}
            onClick={onConfirm}
          >
            {isAccepting
              ? t('bulk.accept')
              : status === 'submitted'
                ? t('action.submit')
                : status === 'discarded'
                  ? t('action.discard')
                  : t('action.saveDraft')}
          </Button>
        </>
      }
    >
      {offers.length > 0 && <OfferedSuggestions offers={offers} accepted={accepted} onToggle={onToggle} />}
      <div className={styles['answers']}>
        {Object.keys(values).length === 0 ? (
          <p>{t('bulk.confirmEmpty')}</p>
        ) : (
          <AnswerList questions={common} record={noRecord} values={values} />
        )}
        {titles.length > 0 && <p className={styles['inText']}>{t('bulk.inText', { titles: formatList(titles, true) })}</p>}
      </div>
      <p>{matched ? t('bulk.matched.hint') : isAccepting ? t('bulk.acceptHint') : t('bulk.confirmHint')}</p>
      {leftOut !== null && leftOut > 0 && (
        <p role="status">{t('bulk.unseen.leftOut', { count: leftOut, formatted: formatCount(leftOut) })}</p>
      )}
      {leftOut === null && offers.length > 0 && <p>{t('bulk.unseen.matchedLeftOut')}</p>}
      {unsent > 0 && <p role="status">{t('bulk.matched.unsent', { count: unsent, formatted: formatCount(unsent) })}</p>}
    </Dialog>
  )
}
