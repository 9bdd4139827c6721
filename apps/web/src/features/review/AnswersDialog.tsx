import { type GivenAnswerChange, givenAnswerChanges } from '@postil/contract/answer-jobs.ts'
import { maxNoteLength } from '@postil/contract/wire/limits.ts'
import { useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { RadioList } from '#ui/controls/RadioList.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { TextArea } from '#ui/controls/TextArea.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import type { GoldTarget } from './api.ts'
import styles from './ReturnDialog.module.css'
import { useAnswerChange } from './use-answer-change.ts'

type Props = {
  readonly datasetId: string
  readonly target: GoldTarget
  /** The number of records. */
  readonly count: number
  readonly people: readonly { readonly id: string; readonly username: string }[]
  readonly onDone: () => void
  readonly onClose: () => void
}

/** The value for the answers of all people. */
const everyone = ''

/** Returns or discards the submitted answers of records. */
export const AnswersDialog = ({ datasetId, target, count, people, onDone, onClose }: Props) => {
  const { t } = useTranslation('features/review')
  const [wanted, setWanted] = useState<GivenAnswerChange>('return')
  const [by, setBy] = useState(everyone)
  const [comment, setComment] = useState('')
  const { change, isStarting } = useAnswerChange(datasetId, onDone)
  const isReady = wanted === 'discard' || comment.trim() !== ''
  const confirm = async (): Promise<void> => {
    const body = {
      ...target,
      change: wanted,
      ...(wanted === 'return' && { comment: comment.trim() }),
      ...(by !== everyone && { user_ids: [by] }),
    }
    if (await change(body)) onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('answers.title', { count, shown: formatCount(count) })}
      actions={
        <>
          <Button onClick={onClose}>{t('return.cancel')}</Button>
          <Button look="primary" busy={isStarting} disabled={!isReady} onClick={() => void confirm()}>
            {t(`answers.action.${wanted}`)}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <RadioList
          legend={t('answers.legend')}
          hideLegend
          options={givenAnswerChanges.map((one) => ({
            value: one,
            label: t(`answers.change.${one}`),
            hint: t(`answers.hint.${one}`),
          }))}
          value={wanted}
          onChange={setWanted}
        />
        <div className={styles['choice']}>
          <Select
            label={t('answers.by')}
            value={by}
            options={[
              { value: everyone, label: t('answers.everyone') },
              ...people.map(({ id, username }) => ({ value: id, label: t('answers.byPerson', { name: username }) })),
            ]}
            onChange={setBy}
          />
        </div>
        {wanted === 'return' && (
          <TextArea
            className={styles['comment']}
            label={t('return.comment')}
            hint={t('answers.commentHint')}
            maxLength={maxNoteLength}
            value={comment}
            onChange={({ target: input }) => setComment(input.value)}
          />
        )}
      </div>
    </Dialog>
  )
}
