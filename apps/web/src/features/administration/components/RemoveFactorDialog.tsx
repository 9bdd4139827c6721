import type { User } from '@postil/contract/users.ts'
import { useTranslation } from 'react-i18next'
import { toast } from '#ui/toast.ts'
import type { AdministrationCalls } from '../api.ts'
import { useDeed } from '../use-deed.ts'
import { FormDialog } from './FormDialog.tsx'

type Props = { readonly user: User; readonly calls: AdministrationCalls; readonly onClose: () => void }

/** Lets somebody whose device is lost sign in by password alone. */
export const RemoveFactorDialog = ({ user: { id, username }, calls, onClose }: Props) => {
  const { t } = useTranslation('features/administration')
  const { busy, problem, run } = useDeed()
  const remove = async (): Promise<void> => {
    if (!(await run(() => calls.removeSecondFactor(id)))) return
    toast({ text: t('users.factorRemoved', { username }), kind: 'success' })
    onClose()
  }
  return (
    <FormDialog
      title={t('users.removeFactorTitle', { username })}
      verb={t('users.removeFactor')}
      busy={busy}
      blocked={false}
      problem={problem}
      onSubmit={() => void remove()}
      onClose={onClose}
    >
      <p>{t('users.removeFactorExplain')}</p>
    </FormDialog>
  )
}
