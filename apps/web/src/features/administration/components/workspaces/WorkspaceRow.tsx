import type { Workspace } from '@postil/contract/people/workspaces.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { printWorkspaces } from '#lib/url/home-search.ts'
import { Button } from '#ui/controls/Button.tsx'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { showSuccess } from '#ui/feedback/success-toast.ts'
import { ChevronDownIcon } from '#ui/marks/first-icons.tsx'
import { ChevronRightIcon, TrashIcon } from '#ui/marks/icons.tsx'
import { FormDialog } from '#ui/overlays/FormDialog.tsx'
import type { AdministrationCalls } from '../../api.ts'
import { membersQuery } from '../../api.ts'
import { useAsyncAction } from '../../use-async-action.ts'
import styles from '../AdministrationPage.module.css'
import { Members } from './Members.tsx'

type Props = { readonly workspace: Workspace; readonly calls: AdministrationCalls }

/** A workspace with a link to its datasets and a collapsed list of its members. */
export const WorkspaceRow = ({ workspace, calls }: Props) => {
  const { t } = useTranslation('features/administration')
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const { data: members } = useQuery(membersQuery(workspace.id))
  return (
    <li className={styles['workspace']}>
      <div className={styles['row']}>
        <div className={styles['who']}>
          <Link to="/" search={{ workspaces: printWorkspaces([workspace.name]) }} className={styles['name']}>
            <bdi>{workspace.name}</bdi>
          </Link>
        </div>
        <Button
          look="quiet"
          icon={isOpen ? ChevronDownIcon : ChevronRightIcon}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {members
            ? t('workspaces.members', { count: members.length, formatted: formatCount(members.length) })
            : t('workspaces.membersLoading')}
        </Button>
        <IconButton icon={TrashIcon} label={t('workspaces.delete', { name: workspace.name })} onClick={() => setDeleting(true)} />
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && <Members workspace={workspace} members={members ?? []} calls={calls} />}
      </div>
      {isDeleting && <DeleteWorkspaceDialog workspace={workspace} calls={calls} onClose={() => setDeleting(false)} />}
    </li>
  )
}

const DeleteWorkspaceDialog = ({ workspace, calls, onClose }: Props & { readonly onClose: () => void }) => {
  const { t } = useTranslation('features/administration')
  const { busy, problem, run } = useAsyncAction()
  const remove = async (): Promise<void> => {
    if (!(await run(() => calls.deleteWorkspace(workspace.id)))) return
    showSuccess(t('workspaces.isDeleted', { name: workspace.name }))
    onClose()
  }
  return (
    <FormDialog
      title={t('workspaces.deleteTitle', { name: workspace.name })}
      submitLabel={t('workspaces.deleteVerb')}
      look="danger"
      busy={busy}
      problem={problem}
      onSubmit={() => void remove()}
      onClose={onClose}
    >
      <p>{t('workspaces.deleteExplain')}</p>
    </FormDialog>
  )
}
