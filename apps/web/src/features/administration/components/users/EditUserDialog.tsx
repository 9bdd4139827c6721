import type { User } from '@postil/contract/people/users.ts'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { announce } from '#ui/feedback/announcer.ts'
import { FormDialog } from '#ui/overlays/FormDialog.tsx'
import type { AdministrationCalls } from '../../api.ts'
import { useAsyncAction } from '../../use-async-action.ts'
import type { Names } from './NamesInputs.tsx'
import { hasNames, isAboutUsername, NamesInputs, trimmed } from './NamesInputs.tsx'

type Props = { readonly user: User; readonly calls: AdministrationCalls; readonly onClose: () => void }

export const EditUserDialog = ({ user, calls, onClose }: Props) => {
  const { t } = useTranslation('features/administration')
  const { username, first_name, last_name } = user
  const [names, setNames] = useState<Names>({ username, first_name, last_name: last_name ?? '' })
  const { busy, problem, run } = useAsyncAction()
  const save = async (): Promise<void> => {
    const stored = trimmed(names, username)
    if (!(await run(() => calls.updateUser(user.id, stored)))) return
    announce(t('users.saved', { username: stored.username }))
    onClose()
  }
  return (
    <FormDialog
      title={t('users.editTitle', { username })}
      submitLabel={t('save')}
      busy={busy}
      blocked={!hasNames(names)}
      problem={isAboutUsername(problem) ? null : problem}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <NamesInputs names={names} onChange={setNames} problem={problem} />
    </FormDialog>
  )
}
