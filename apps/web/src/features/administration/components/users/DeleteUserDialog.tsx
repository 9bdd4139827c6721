import type { User } from '@postil/contract/people/users.ts'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Input } from '#ui/controls/Input.tsx'
import { showSuccess } from '#ui/feedback/success-toast.ts'
import { FormDialog } from '#ui/overlays/FormDialog.tsx'
import type { AdministrationCalls } from '../../api.ts'
import { useAsyncAction } from '../../use-async-action.ts'

type Props = { readonly user: User; readonly calls: AdministrationCalls; readonly onClose: () => void }

/** Deletes a user with all their answers. The username must be typed as confirmation. */
export const DeleteUserDialog = ({ user, calls, onClose }: Props) => {
  const { t } = useTranslation('features/administration')
  const [typed, setTyped] = useState('')
  const { busy, problem, run } = useAsyncAction()
  const remove = async (): Promise<void> => {
    if (!(await run(() => calls.deleteUser(user.id)))) return
    showSuccess(t('users.isDeleted', { username: user.username }))
    onClose()
  }
  return (
    <FormDialog
      title={t('users.deleteTitle', { username: user.username })}
      submitLabel={t('users.deleteVerb')}
      look="danger"
      busy={busy}
      blocked={typed.trim() !== user.username.trim()}
      problem={problem}
      onSubmit={() => void remove()}
      onClose={onClose}
    >
      <p>{t('users.deleteExplain')}</p>
      <Input
        label={t('typeToConfirm', { name: user.username })}
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormDialog>
  )
}
