-- Distributes the tables that grow with records over the nodes of a Citus cluster, so that each dataset is on one node.
--   psql "$POSTIL_DATABASE_URL" --single-transaction -v ON_ERROR_STOP=1 --file deploy/citus.sql
-- Run it after `postil database migrate`, while no server is running. It can be run again: it changes only tables that aren't
-- distributed yet. See docs/operations.md, section "Several database nodes".

do $$
declare
  -- All rows of a dataset are on one node. `dataset_state` comes first, because the others follow it.
  distributed text[] := array[
    'dataset_state', 'dataset_counts', 'dataset_activity', 'change_counts', 'record_changes', 'dataset_users', 'user_counts',
    'record_blocks', 'records', 'record_terms', 'record_numbers', 'record_text', 'responses', 'response_terms',
    'response_numbers', 'agreement_numbers', 'response_tombstones', 'suggestions', 'vectors', 'dataset_tokens', 'leases',
    'assignments', 'schema_versions', 'seen_versions', 'snapshots', 'gold', 'test_items', 'test_people', 'comments',
    'run_items', 'review_leases', 'history', 'outbox'
  ];
  -- Every node has a copy of these, because they are read together with the tables above.
  reference text[] := array['datasets', 'users', 'memberships', 'questions'];
  -- Only on the coordinator, but known to Citus. A step of a job and its progress are then committed together, in two phases.
  managed text[] := array['jobs'];
  name text;
  kind text;
  is_filled boolean;
begin
  if not exists (select from pg_extension where extname = 'citus') then
    raise exception 'The database has no Citus extension. Run on every node, as a superuser: create extension citus';
  end if;
  -- Every other table stays on the coordinator. It needs copies of the reference tables.
  if not exists (select from pg_dist_node where groupid = 0) then
    raise exception 'The coordinator is not part of the cluster. Run: select citus_set_coordinator_host(''HOST'')';
  end if;
  if not exists (select from pg_dist_node where groupid <> 0 and shouldhaveshards) then
    raise exception 'The cluster has no worker nodes. Run for each: select citus_add_node(''HOST'', PORT)';
  end if;
  foreach name in array reference || distributed || managed loop
    if to_regclass(name) is null then
      raise exception 'The table % does not exist. Run first: postil database migrate', name;
    end if;
    kind := (
      select case when partmethod = 'h' then 'distributed' when repmodel = 't' then 'reference' else 'managed' end
      from pg_dist_partition where logicalrelid = to_regclass(name));
    if kind is null then
      execute format('select exists (select from %I)', name) into is_filled;
      if name = any (managed) then
        perform citus_add_local_table_to_metadata(name);
        continue;
      elsif name = any (reference) then
        perform create_reference_table(name);
      elsif name = 'dataset_state' then
        perform create_distributed_table(name, 'dataset_no', colocate_with => 'none');
      else
        perform create_distributed_table(name, 'dataset_no', colocate_with => 'dataset_state');
      end if;
      -- The rows have been copied to the nodes.
      if is_filled then
        perform truncate_local_data_after_distributing_table(to_regclass(name));
      end if;
    elsif not name = any (case kind when 'distributed' then distributed when 'reference' then reference else managed end) then
      raise exception 'The table % is distributed in another way than Postil needs.', name;
    end if;
  end loop;
end $$;
