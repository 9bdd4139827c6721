import type { ReactNode } from 'react'
import { useId } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Button } from '#ui/controls/Button.tsx'
import { CheckIcon } from '#ui/marks/icons.tsx'
import { ProblemNotice } from '#ui/telling/ProblemNotice.tsx'
import { toast } from '#ui/telling/toast.ts'
import type { SettingsCalls } from '../api.ts'
import type { Edit } from '../edits.ts'
import type { Sending } from '../use-save.ts'
import { useSave } from '../use-save.ts'
import type { Told } from './ConflictDialog.tsx'
import { ConflictDialog } from './ConflictDialog.tsx'
import styles from './ItemForm.module.css'

type Props<T> = Sending<T> & {
  readonly title: string
  /** What the thing is: its name where the title is another one, its type, whether it is required. */
  readonly about?: ReactNode
  readonly edit: Edit<T>
  readonly isValid: boolean
  readonly calls: Pick<SettingsCalls, 'readDataset' | 'refresh'>
  /** What others have changed in it meanwhile is called so. */
  readonly told: Told
  readonly children: ReactNode
}

/** One thing of the dataset with what can be changed of it, saved on its own. */
export const ItemForm = <T,>({ title, about, edit, isValid, calls, read, send, told, children }: Props<T>) => {
  const { t } = useTranslation('features/settings')
  const id = useId()
  const onMissing = (): void => {
    const tell = (): void => {
      toast({ text: t('partGone', { title }), kind: 'warning' })
      calls.refresh()
    }
    // Without the dataset there is no page for this to be told on, and without an answer nothing is known.
    calls.readDataset().then(tell, () => {})
  }
  const { busy, failed, question, save, bringBack, cancel } = useSave(edit, { read, send }, onMissing)
  const maySave = edit.isChanged && isValid
  return (
    <form
      aria-labelledby={id}
      className={styles['item']}
      data-changed={edit.isChanged ? '' : undefined}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (maySave && !busy) void save()
      }}
    >
      <div className={styles['head']}>
        <h3 id={id} className={styles['title']}>
          <bdi>{title}</bdi>
        </h3>
        {about}
        {edit.isChanged && <span className={styles['changed']}>{t('unsaved')}</span>}
      </div>
      {children}
      {failed && (
        <ProblemNotice
          error={failed.error}
          isAlert
          action={!failed.isKept && <Button onClick={bringBack}>{t('bringBack')}</Button>}
        >
          {failed.isKept ? t('notAllowed') : t('notSaved', { problem: problemMessage(failed.error) })}
        </ProblemNotice>
      )}
      {question && <ConflictDialog question={question} told={told} />}
      <div className={styles['actions']}>
        <Button blocked={!edit.isChanged} onClick={cancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" look={maySave ? 'primary' : 'plain'} icon={CheckIcon} busy={busy} blocked={!maySave}>
          {t('update')}
        </Button>
      </div>
    </form>
  )
}
