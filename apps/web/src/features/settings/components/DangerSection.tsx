import type { Dataset } from '@postil/contract/datasets.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { isComposing } from '#lib/keys/is-composing.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { TrashIcon } from '#ui/marks/icons.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import type { SettingsCalls } from '../api.ts'
import { isForbidden } from '../use-save.ts'
import styles from './SettingsPage.module.css'

type Props = { readonly dataset: Dataset; readonly workspace: string; readonly calls: SettingsCalls }

/** Actions that can't be undone. */
export const DangerSection = ({ dataset, workspace, calls }: Props) => {
  const { t } = useTranslation('features/settings')
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles['danger']}>
      <div>
        <h3 className={styles['dangerTitle']}>{t('danger.delete')}</h3>
        <p className={styles['hint']}>{t('danger.hint')}</p>
      </div>
      <Button look="danger" icon={TrashIcon} onClick={() => setOpen(true)}>
        {t('danger.open')}
      </Button>
      {isOpen && <Confirm dataset={dataset} workspace={workspace} calls={calls} onClose={() => setOpen(false)} />}
    </div>
  )
}

const Confirm = ({ dataset, workspace, calls, onClose }: Props & { readonly onClose: () => void }) => {
  const { t } = useTranslation('features/settings')
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const isTyped = typed.trim() === dataset.name.trim()
  const remove = async (): Promise<void> => {
    setBusy(true)
    setProblem(null)
    try {
      const wasDeletedHere = await calls.remove()
      const { name } = dataset
      toast({ text: wasDeletedHere ? t('danger.deleted', { name }) : t('danger.already', { name }), kind: 'success' })
      await navigate({ to: '/', ignoreBlocker: true })
    } catch (error) {
      setProblem(error)
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('danger.title')}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button look="danger" busy={busy} blocked={!isTyped} onClick={() => void remove()}>
            {t('danger.yes')}
          </Button>
        </>
      }
    >
      <p className={styles['explain']}>{t('danger.explain', { name: dataset.name, workspace })}</p>
      <Input
        label={t('danger.type', { name: dataset.name })}
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && !isComposing(event.nativeEvent) && isTyped && !busy && void remove()}
      />
      {problem !== null && (
        <div className={styles['problem']}>
          <ProblemNotice error={problem} isAlert>
            {isForbidden(problem) ? t('danger.notAllowed') : null}
          </ProblemNotice>
        </div>
      )}
    </Dialog>
  )
}
