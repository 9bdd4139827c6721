-- Distributes the tables that grow with records over the nodes of a Citus cluster. Each dataset is on one node.
--   psql "$POSTIL_DATABASE_URL" --file deploy/citus.sql
-- Run it after `postil database migrate`, on an empty or small database, while no server is running. All other tables stay on the
-- coordinator: they are small, and Citus joins them with the tables of a shard as reference or local tables.
create extension if not exists citus;

select create_distributed_table('dataset_state', 'dataset_no', colocate_with => 'none');
select create_distributed_table('dataset_counts', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('dataset_activity', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('change_counts', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('record_changes', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('dataset_users', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('user_counts', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('record_blocks', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('records', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('record_terms', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('record_numbers', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('record_text', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('responses', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('response_terms', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('response_numbers', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('agreement_numbers', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('response_tombstones', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('suggestions', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('vectors', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('dataset_tokens', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('leases', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('assignments', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('schema_versions', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('seen_versions', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('snapshots', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('gold', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('test_items', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('test_people', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('comments', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('run_items', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('review_leases', 'dataset_no', colocate_with => 'dataset_state');
select create_distributed_table('history', 'dataset_no', colocate_with => 'dataset_state');

-- Read together with the large tables of one dataset, or joined with those of all datasets. See
-- docs/decisions/0020-one-dataset-one-node.md.
select create_reference_table('datasets');
select create_reference_table('users');
