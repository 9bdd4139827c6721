import type { ReactNode } from 'react'
import { useId } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Button } from '#ui/controls/Button.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { CheckIcon } from '#ui/marks/icons.tsx'
import type { SettingsCalls } from '../api.ts'
import type { Edit } from '../edits.ts'
import type { SaveOperations } from '../use-save.ts'
import { useSave } from '../use-save.ts'
import type { ConflictTexts } from './ConflictDialog.tsx'
import { ConflictDialog } from './ConflictDialog.tsx'
import styles from './ItemForm.module.css'

type Props<T> = SaveOperations<T> & {
  readonly title: string
  /** The item's fixed properties: its name (if it differs from the title), its type, and whether the item is required. */
  readonly details?: ReactNode
  readonly edit: Edit<T>
  readonly isValid: boolean
  readonly calls: Pick<SettingsCalls, 'readDataset' | 'refresh'>
  /** How the conflict dialog labels and prints the form's values. */
  readonly conflictTexts: ConflictTexts
  readonly children: ReactNode
}

/** The form for the settings of one item of the dataset. Each item is saved separately. */
export const ItemForm = <T,>({ title, details, edit, isValid, calls, read, send, conflictTexts, children }: Props<T>) => {
  const { t } = useTranslation('features/settings')
  const id = useId()
  const onMissing = (): void => {
    const showMissing = (): void => {
      toast({ text: t('partGone', { title }), kind: 'warning' })
      calls.refresh()
    }
    // Reports the missing item only if the dataset still exists. The page itself reports a deleted dataset.
    calls.readDataset().then(showMissing, () => {})
  }
  const { busy, failed, question, save, restoreChange, cancel } = useSave(edit, { read, send }, onMissing)
  const canSave = edit.isChanged && isValid
  return (
    <form
      aria-labelledby={id}
      className={styles['item']}
      data-changed={edit.isChanged ? '' : undefined}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (canSave && !busy) void save()
      }}
    >
      <div className={styles['head']}>
        <h3 id={id} className={styles['title']}>
          <bdi>{title}</bdi>
        </h3>
        {details}
        {edit.isChanged && <span className={styles['changed']}>{t('unsaved')}</span>}
      </div>
      {children}
      {failed && (
        <ProblemNotice
          error={failed.error}
          isAlert
          action={!failed.isStillInForm && <Button onClick={restoreChange}>{t('bringBack')}</Button>}
        >
          {failed.isStillInForm ? t('notAllowed') : t('notSaved', { problem: problemMessage(failed.error) })}
        </ProblemNotice>
      )}
      {question && <ConflictDialog question={question} texts={conflictTexts} />}
      <div className={styles['actions']}>
        <Button blocked={!edit.isChanged} onClick={cancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" look={canSave ? 'primary' : 'plain'} icon={CheckIcon} busy={busy} blocked={!canSave}>
          {t('update')}
        </Button>
      </div>
    </form>
  )
}
