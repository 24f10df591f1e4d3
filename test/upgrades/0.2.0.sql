SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA queue;
CREATE TYPE queue.job_state AS ENUM (
    'created',
    'retry',
    'active',
    'completed',
    'cancelled',
    'failed'
);
CREATE FUNCTION public.add_counts(a integer[], b integer[]) RETURNS integer[]
    LANGUAGE sql IMMUTABLE
    AS $$
  select array(select x + y from unnest(a, b) with ordinality as pair(x, y, n) order by n)
$$;
CREATE FUNCTION public.add_monitor_months(at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  first_day date;
begin
  perform pg_advisory_xact_lock(7235080);
  for first_day in select date_trunc('month', at at time zone 'UTC')::date + make_interval(months => n) from generate_series(0, 1) n loop
    execute format(
      'create table if not exists %I partition of monitor_hours for values from (%L) to (%L)',
      'monitor_hours_' || to_char(first_day, 'YYYY_MM'),
      first_day::timestamp at time zone 'UTC', (first_day + interval '1 month') at time zone 'UTC');
  end loop;
end
$$;
CREATE FUNCTION public.announce_access() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform pg_notify('longshore_access', old.user_id::text);
  return null;
end
$$;
CREATE FUNCTION public.claim_domain_names(of_project bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  wanted text[];
  taken text;
begin
  select coalesce(array_agg(names.name), '{}') into wanted from (
    select d.domain_name as name from domains d where d.project_id = of_project
    union
    select www_counterpart(d.domain_name) from domains d join sites site on site.project_id = d.project_id
    where d.project_id = of_project and d.redirect_to is null and site.www_redirect <> 0
  ) names;
  delete from domain_names where project_id = of_project and name <> all(wanted);
  -- in one order, so that two that claim the same names wait for each other instead of both being lost
  insert into domain_names (name, project_id)
    select name, of_project from unnest(wanted) name order by name
    on conflict (name) do nothing;
  select n.name into taken from domain_names n where n.name = any(wanted) and n.project_id <> of_project limit 1;
  if taken is not null then
    raise unique_violation using
      message = 'a domain name belongs to another project', detail = taken, constraint = 'domain_names_pkey';
  end if;
end
$$;
CREATE FUNCTION public.claim_names_of_domain() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform claim_domain_names(coalesce(new.project_id, old.project_id));
  return null;
end
$$;
CREATE FUNCTION public.claim_names_of_site() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform claim_domain_names(new.project_id);
  return null;
end
$$;
CREATE FUNCTION public.continue_ids(last_ids jsonb) RETURNS text[]
    LANGUAGE plpgsql
    AS $$
declare
  behind record;
  moved text[] := '{}';
begin
  for behind in
    select s.sequencename as name, given.value::bigint as last_id
    from pg_sequences s join jsonb_each_text(last_ids) given on given.key = s.sequencename
    where s.schemaname = current_schema() and coalesce(s.last_value, 0) < given.value::bigint
    order by s.sequencename
  loop
    -- Changes nothing, and locks it until the commit.
    execute format('alter sequence %I no cycle', behind.name);
    if (
      select coalesce(s.last_value, 0) from pg_sequences s
      where s.schemaname = current_schema() and s.sequencename = behind.name
    ) < behind.last_id then
      perform setval(format('%I', behind.name)::regclass, behind.last_id);
      moved := moved || behind.name;
    end if;
  end loop;
  return moved;
end $$;
CREATE FUNCTION public.drop_monitor_months(before timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  month text;
begin
  perform pg_advisory_xact_lock(7235080);
  for month in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'monitor_hours'::regclass
      and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= (before at time zone 'UTC')::date
  loop
    execute format('drop table %I', month);
  end loop;
end
$$;
CREATE FUNCTION public.guard_deployment_status() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if not (case old.status
    when 0 then new.status in (2, 3, 5)
    when 3 then new.status in (1, 2, 4)
    when 4 then new.status in (1, 2, 3, 5)
    else false
  end) then
    raise exception 'deployment % cannot go from status % to %', old.id, old.status, new.status
      using errcode = 'check_violation', constraint = 'deployments_status_transition', table = 'deployments';
  end if;
  return new;
end
$$;
CREATE FUNCTION public.keep_orders_of_server() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update server_orders set server_id = null where server_id = old.id;
  return old;
end
$$;
CREATE FUNCTION public.keep_projects_of_group() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update projects set project_group_id = null where project_group_id = old.id;
  return old;
end
$$;
CREATE FUNCTION public.take_turn() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
begin
  new.turn = greatest(
    (select turn + 1 from deployments where project_id = new.project_id and server_id = new.server_id
      order by id desc limit 1),
    (select max(turn) from deployments where server_id = new.server_id and started_at is not null),
    0);
  return new;
end
$$;
CREATE FUNCTION public.www_counterpart(name text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  select case when name like 'www.%.%' then substr(name, 5) else 'www.' || name end
$$;
CREATE FUNCTION queue.create_queue(queue_name text, options jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $_$
    DECLARE
      tablename varchar := CASE WHEN options->>'partition' = 'true'
                            THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                            ELSE 'job_common'
                            END;
      queue_created_on timestamptz;
    BEGIN
      WITH q as (
        INSERT INTO queue.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name,
          heartbeat_seconds,
          notify,
          created_on,
          updated_on
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, 2),
          COALESCE((options->>'retryDelay')::int, 0),
          COALESCE((options->>'retryBackoff')::bool, false),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, 900),
          COALESCE((options->>'retentionSeconds')::int, 1209600),
          COALESCE((options->>'deleteAfterSeconds')::int, 604800),
          COALESCE((options->>'warningQueueSize')::int, 0),
          options->>'deadLetter',
          COALESCE((options->>'partition')::bool, false),
          tablename,
          (options->>'heartbeatSeconds')::int,
          COALESCE((options->>'notify')::bool, false),
          queue.job_now(),
          queue.job_now()
        )
        ON CONFLICT DO NOTHING
        RETURNING created_on
      )
      SELECT created_on into queue_created_on from q;
      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
        RETURN;
      END IF;
      EXECUTE format('CREATE TABLE queue.%I (LIKE queue.job INCLUDING DEFAULTS)', tablename);
      EXECUTE queue.job_table_format($cmd$ALTER TABLE queue.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
      EXECUTE queue.job_table_format($cmd$ALTER TABLE queue.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES queue.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE queue.job_table_format($cmd$ALTER TABLE queue.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES queue.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE queue.job_table_format($cmd$CREATE INDEX job_i11 ON queue.job (name, priority DESC, created_on, start_after) WHERE state < 'active' AND NOT blocked$cmd$, tablename);
      EXECUTE queue.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON queue.job (name, singleton_on, COALESCE(singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
      EXECUTE queue.job_table_format($cmd$CREATE INDEX job_i7 ON queue.job (name, group_id) WHERE state = 'active' AND group_id IS NOT NULL$cmd$, tablename);
      EXECUTE queue.job_table_format($cmd$CREATE INDEX job_i9 ON queue.job (name, id) WHERE blocking AND state = 'completed'$cmd$, tablename);
      EXECUTE queue.job_table_format($cmd$CREATE INDEX job_i12 ON queue.job (source_root_id) WHERE source_root_id IS NOT NULL$cmd$, tablename);
      IF options->>'policy' = 'short' THEN
        EXECUTE queue.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON queue.job (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
      ELSIF options->>'policy' = 'singleton' THEN
        EXECUTE queue.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON queue.job (name, COALESCE(singleton_key, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
      ELSIF options->>'policy' = 'stately' THEN
        EXECUTE queue.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON queue.job (name, state, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
      ELSIF options->>'policy' = 'exclusive' THEN
        EXECUTE queue.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON queue.job (name, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
      ELSIF options->>'policy' = 'key_strict_fifo' THEN
        EXECUTE queue.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON queue.job (name, singleton_key) WHERE state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE queue.job_table_format($cmd$CREATE INDEX job_i10 ON queue.job (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE queue.job_table_format($cmd$ALTER TABLE queue.job ADD CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
      END IF;
      EXECUTE format('ALTER TABLE queue.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
      EXECUTE format('ALTER TABLE queue.job ATTACH PARTITION queue.%I FOR VALUES IN (%L)', tablename, queue_name);
    END;
    $_$;
CREATE FUNCTION queue.delete_queue(queue_name text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    DECLARE
      v_table varchar;
      v_partition bool;
    BEGIN
      
      SELECT table_name, partition
      FROM queue.queue
      WHERE name = queue_name
      INTO v_table, v_partition;
      IF v_partition THEN
        EXECUTE format('DROP TABLE IF EXISTS queue.%I', v_table);
      ELSE
        EXECUTE format('DELETE FROM queue.%I WHERE name = %L', v_table, queue_name);
      END IF;
    
      DELETE FROM queue.queue WHERE name = queue_name;
    END;
    $$;
CREATE FUNCTION queue.job_now() RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
      SELECT pg_catalog.now();
    $$;
CREATE FUNCTION queue.job_table_format(command text, table_name text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $_$
      SELECT format(
        regexp_replace(
          regexp_replace(command, '\.job\y', '.%1$I', 'g'),
          '\yjob_i(\d+)', '%1$s_i\1', 'g'
        ),
        table_name
      );
    $_$;
CREATE FUNCTION queue.job_table_run(command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    DECLARE
      tbl RECORD;
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM queue.queue WHERE name = queue_name;
      END IF;
      IF tbl_name IS NOT NULL THEN
        EXECUTE queue.job_table_format(command, tbl_name);
        RETURN;
      END IF;
      EXECUTE queue.job_table_format(command, 'job_common');
      FOR tbl IN SELECT table_name FROM queue.queue WHERE partition = true
      LOOP
        EXECUTE queue.job_table_format(command, tbl.table_name);
      END LOOP;
    END;
    $$;
CREATE FUNCTION queue.job_table_run_async(command_name text, version integer, command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM queue.queue WHERE name = queue_name;
      END IF;
      IF tbl_name IS NOT NULL THEN
        INSERT INTO queue.bam (name, version, status, queue, table_name, command)
        VALUES (
          command_name,
          version,
          'pending',
          queue_name,
          tbl_name,
          queue.job_table_format(command, tbl_name)
        );
        RETURN;
      END IF;
      INSERT INTO queue.bam (name, version, status, queue, table_name, command)
      SELECT
        command_name,
        version,
        'pending',
        NULL,
        'job_common',
        queue.job_table_format(command, 'job_common')
      UNION ALL
      SELECT
        command_name,
        version,
        'pending',
        queue.name,
        queue.table_name,
        queue.job_table_format(command, queue.table_name)
      FROM queue.queue
      WHERE partition = true;
    END;
    $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.acme_accounts (
    directory text NOT NULL,
    private_key bytea NOT NULL,
    url text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
COMMENT ON COLUMN public.acme_accounts.private_key IS 'encrypted';
CREATE TABLE public.acme_pauses (
    directory text NOT NULL,
    scope text NOT NULL,
    until timestamp with time zone NOT NULL,
    reason text NOT NULL
);
CREATE TABLE public.acme_requests (
    id bigint NOT NULL,
    directory text NOT NULL,
    scope text NOT NULL,
    order_id bigint,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE public.acme_requests ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.acme_requests_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.announcements (
    id bigint NOT NULL,
    organization_id bigint NOT NULL,
    topic text NOT NULL,
    title text NOT NULL,
    text text NOT NULL,
    data jsonb NOT NULL,
    project_id bigint,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT announcements_topic_check CHECK ((topic ~ '^[a-z_]+([.][a-z_]+)*$'::text))
);
ALTER TABLE public.announcements ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.announcements_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.app_installations (
    project_id bigint NOT NULL,
    answers bytea NOT NULL,
    database_id bigint,
    last_release integer DEFAULT 0 NOT NULL,
    automatic_updates text DEFAULT 'off'::text NOT NULL,
    update_available text,
    update_is_security boolean DEFAULT false NOT NULL,
    announced_version text,
    next_look_at timestamp with time zone DEFAULT (clock_timestamp() + '1 day'::interval) NOT NULL,
    update_state text,
    update_version text,
    update_release integer,
    update_error text,
    update_ended_at timestamp with time zone,
    address text,
    address_site text,
    address_look_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT app_installations_automatic_updates_check CHECK ((automatic_updates = ANY (ARRAY['off'::text, 'minor'::text]))),
    CONSTRAINT app_installations_check CHECK (((update_state IS NULL) = (update_version IS NULL))),
    CONSTRAINT app_installations_check1 CHECK (((update_state = ANY (ARRAY['succeeded'::text, 'failed'::text])) = (update_ended_at IS NOT NULL))),
    CONSTRAINT app_installations_check2 CHECK (((update_state = 'failed'::text) = (update_error IS NOT NULL))),
    CONSTRAINT app_installations_last_release_check CHECK ((last_release >= 0)),
    CONSTRAINT app_installations_update_release_check CHECK ((update_release > 0)),
    CONSTRAINT app_installations_update_state_check CHECK ((update_state = ANY (ARRAY['running'::text, 'succeeded'::text, 'failed'::text])))
);
COMMENT ON COLUMN public.app_installations.answers IS 'encrypted';
CREATE TABLE public.audit_log (
    id bigint NOT NULL,
    organization_id bigint NOT NULL,
    user_id bigint,
    user_email text NOT NULL,
    token_id bigint,
    ip inet,
    action text NOT NULL,
    summary text NOT NULL,
    subjects text[] DEFAULT '{}'::text[] NOT NULL,
    fields text[] DEFAULT '{}'::text[] NOT NULL,
    request_id text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE public.audit_log ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_accounts (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    provider_id text NOT NULL,
    account_id text NOT NULL,
    password text,
    access_token text,
    refresh_token text,
    id_token text,
    access_token_expires_at timestamp with time zone,
    refresh_token_expires_at timestamp with time zone,
    scope text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE public.auth_accounts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.auth_accounts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_passkeys (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    name text,
    public_key text NOT NULL,
    credential_id text NOT NULL,
    counter bigint NOT NULL,
    device_type text NOT NULL,
    backed_up boolean NOT NULL,
    transports text,
    aaguid text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE public.auth_passkeys ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.auth_passkeys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_secret (
    id boolean DEFAULT true NOT NULL,
    secret bytea NOT NULL,
    CONSTRAINT auth_secret_id_check CHECK (id)
);
COMMENT ON COLUMN public.auth_secret.secret IS 'encrypted';
CREATE TABLE public.auth_sessions (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    token text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ip_address text,
    user_agent text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE public.auth_sessions ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.auth_sessions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_two_factors (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    secret text NOT NULL,
    backup_codes text NOT NULL,
    verified boolean DEFAULT true NOT NULL,
    failed_verification_count integer DEFAULT 0 NOT NULL,
    locked_until timestamp with time zone
);
ALTER TABLE public.auth_two_factors ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.auth_two_factors_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_used_codes (
    user_id bigint NOT NULL,
    digest bytea NOT NULL,
    used_at timestamp with time zone NOT NULL
);
CREATE TABLE public.auth_verifications (
    id bigint NOT NULL,
    identifier text NOT NULL,
    value text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE public.auth_verifications ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.auth_verifications_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.certificate_orders (
    id bigint NOT NULL,
    project_id bigint NOT NULL,
    server_id bigint NOT NULL,
    purpose text NOT NULL,
    outcome text,
    names text[] NOT NULL,
    left_out jsonb DEFAULT '[]'::jsonb NOT NULL,
    probe text NOT NULL,
    directory text,
    request text,
    order_url text,
    challenges jsonb DEFAULT '[]'::jsonb NOT NULL,
    has_leftovers boolean DEFAULT true NOT NULL,
    chain text,
    uploaded_key bytea,
    install_run_id bigint,
    log text[] DEFAULT '{}'::text[] NOT NULL,
    error text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT certificate_orders_check CHECK (((outcome IS NULL) = (ended_at IS NULL))),
    CONSTRAINT certificate_orders_outcome_check CHECK ((outcome = ANY (ARRAY['succeeded'::text, 'failed'::text, 'cancelled'::text]))),
    CONSTRAINT certificate_orders_purpose_check CHECK ((purpose = ANY (ARRAY['issue'::text, 'renewal'::text, 'custom'::text])))
);
COMMENT ON COLUMN public.certificate_orders.uploaded_key IS 'encrypted';
ALTER TABLE public.certificate_orders ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.certificate_orders_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.certificates (
    id bigint NOT NULL,
    project_id bigint NOT NULL,
    source text DEFAULT 'acme'::text NOT NULL,
    status smallint DEFAULT 0 NOT NULL,
    version bigint,
    server_id bigint,
    names text[] DEFAULT '{}'::text[] NOT NULL,
    left_out jsonb DEFAULT '[]'::jsonb NOT NULL,
    not_before timestamp with time zone,
    not_after timestamp with time zone,
    offers_ocsp boolean DEFAULT false NOT NULL,
    renew_at timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    failed_names text[],
    error text,
    retry_at timestamp with time zone,
    announced_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT certificates_check CHECK ((((version IS NULL) = (server_id IS NULL)) AND ((version IS NULL) = (not_after IS NULL)))),
    CONSTRAINT certificates_check1 CHECK (((status = ANY (ARRAY[1, 3])) = (version IS NOT NULL))),
    CONSTRAINT certificates_source_check CHECK ((source = ANY (ARRAY['acme'::text, 'custom'::text]))),
    CONSTRAINT certificates_status_check CHECK (((status >= 0) AND (status <= 3)))
);
ALTER TABLE public.certificates ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.certificates_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.cloud_call_limits (
    provider_id bigint NOT NULL,
    bucket text NOT NULL,
    calls double precision NOT NULL,
    refilled_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    blocked_until timestamp with time zone
);
CREATE TABLE public.cloud_catalogues (
    provider_id bigint NOT NULL,
    part text NOT NULL,
    location text NOT NULL,
    body jsonb,
    read_at timestamp with time zone,
    refreshing_until timestamp with time zone,
    CONSTRAINT cloud_catalogues_check CHECK (((body IS NULL) = (read_at IS NULL))),
    CONSTRAINT cloud_catalogues_part_check CHECK ((part = ANY (ARRAY['locations'::text, 'catalogue'::text, 'prices'::text])))
);
CREATE TABLE public.cloud_orphans (
    provider_id bigint NOT NULL,
    kind text NOT NULL,
    id text NOT NULL,
    location text NOT NULL,
    name text,
    monthly_price_net numeric(12,4),
    monthly_price_gross numeric(12,4),
    price_currency text,
    created_at timestamp with time zone,
    seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE public.cloud_owner (
    only_row boolean DEFAULT true NOT NULL,
    owner text DEFAULT ('longshore-'::text || substr(replace((gen_random_uuid())::text, '-'::text, ''::text), 1, 10)) NOT NULL,
    CONSTRAINT cloud_owner_only_row_check CHECK (only_row)
);
CREATE TABLE public.database_engines (
    server_id bigint NOT NULL,
    version text,
    found jsonb DEFAULT '[]'::jsonb NOT NULL,
    looked_at timestamp with time zone,
    error text,
    look_due_at timestamp with time zone NOT NULL,
    CONSTRAINT database_engines_version_check CHECK ((length(version) <= 100))
);
CREATE TABLE public.database_imports (
    id bigint NOT NULL,
    database_id bigint NOT NULL,
    user_id bigint,
    empties_first boolean NOT NULL,
    size_bytes bigint DEFAULT 0 NOT NULL,
    status smallint DEFAULT 0 NOT NULL,
    error text,
    run_id bigint,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT database_imports_check CHECK (((status = ANY (ARRAY[1, 2])) = (ended_at IS NOT NULL))),
    CONSTRAINT database_imports_check1 CHECK (((status = 2) = (error IS NOT NULL))),
    CONSTRAINT database_imports_size_bytes_check CHECK ((size_bytes >= 0)),
    CONSTRAINT database_imports_status_check CHECK ((status = ANY (ARRAY[0, 1, 2, 3])))
);
ALTER TABLE public.database_imports ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.database_imports_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.database_users (
    id bigint NOT NULL,
    database_id bigint NOT NULL,
    username text NOT NULL,
    password bytea NOT NULL,
    status smallint DEFAULT 0 NOT NULL,
    error text,
    removed_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT database_users_check CHECK (((status = 2) = (error IS NOT NULL))),
    CONSTRAINT database_users_status_check CHECK ((status = ANY (ARRAY[0, 1, 2]))),
    CONSTRAINT database_users_username_check CHECK ((username ~ '^[a-z][a-z0-9_]{0,62}$'::text))
);
COMMENT ON COLUMN public.database_users.password IS 'encrypted';
ALTER TABLE public.database_users ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.database_users_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.databases (
    id bigint NOT NULL,
    server_id bigint NOT NULL,
    project_id bigint,
    database_type text NOT NULL,
    database_name text NOT NULL,
    username text NOT NULL,
    password bytea NOT NULL,
    status smallint DEFAULT 0 NOT NULL,
    created_by_user boolean DEFAULT true NOT NULL,
    is_adopted boolean DEFAULT false NOT NULL,
    is_emptying boolean DEFAULT false NOT NULL,
    removed_at timestamp with time zone,
    held_for bigint,
    notes text,
    size_bytes bigint,
    connections integer,
    character_set text,
    collation_name text,
    seen_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT databases_character_set_check CHECK ((length(character_set) <= 100)),
    CONSTRAINT databases_collation_name_check CHECK ((length(collation_name) <= 100)),
    CONSTRAINT databases_connections_check CHECK ((connections >= 0)),
    CONSTRAINT databases_database_type_check CHECK ((database_type = ANY (ARRAY['mariadb'::text, 'postgresql'::text]))),
    CONSTRAINT databases_size_bytes_check CHECK ((size_bytes >= 0)),
    CONSTRAINT databases_status_check CHECK ((status = ANY (ARRAY[0, 1, 2])))
);
COMMENT ON COLUMN public.databases.password IS 'encrypted';
ALTER TABLE public.databases ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.databases_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.departed_servers (
    id bigint NOT NULL,
    name text NOT NULL,
    host inet NOT NULL,
    port integer NOT NULL,
    host_key text NOT NULL,
    ssh_public_key text NOT NULL,
    ssh_private_key bytea NOT NULL,
    run_ids bigint[] NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
COMMENT ON COLUMN public.departed_servers.ssh_private_key IS 'encrypted';
ALTER TABLE public.departed_servers ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.departed_servers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.deploy_keys (
    project_id bigint NOT NULL,
    server_id bigint NOT NULL,
    public_key text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE public.deployments (
    id bigint NOT NULL,
    organization_id bigint NOT NULL,
    project_id bigint NOT NULL,
    server_id bigint NOT NULL,
    run_id bigint,
    initiated_by bigint,
    process_type text DEFAULT 'deployment'::text NOT NULL,
    description text NOT NULL,
    git_branch text NOT NULL,
    commit_id text,
    commit_url text,
    commit_author text,
    commit_message text,
    release_id bigint,
    in_place boolean,
    status smallint DEFAULT 0 NOT NULL,
    turn bigint DEFAULT 0 NOT NULL,
    error text,
    warnings text[] DEFAULT '{}'::text[] NOT NULL,
    rolling_of bigint,
    takes_back bigint,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    CONSTRAINT deployments_check CHECK (((status = ANY (ARRAY[1, 2, 5])) = (ended_at IS NOT NULL))),
    CONSTRAINT deployments_check1 CHECK (((status <> 0) OR (started_at IS NULL))),
    CONSTRAINT deployments_check2 CHECK (((status <> ALL (ARRAY[1, 3, 4])) OR (started_at IS NOT NULL))),
    CONSTRAINT deployments_check3 CHECK (((in_place IS NULL) OR (started_at IS NOT NULL))),
    CONSTRAINT deployments_commit_id_check CHECK ((commit_id ~ '^[0-9a-f]{40}([0-9a-f]{24})?$'::text)),
    CONSTRAINT deployments_process_type_check CHECK ((process_type = ANY (ARRAY['deployment'::text, 'rollback'::text, 'recycle'::text, 'move'::text]))),
    CONSTRAINT deployments_status_check CHECK (((status >= 0) AND (status <= 5))),
    CONSTRAINT only_rollbacks_take_back CHECK (((takes_back IS NULL) OR (process_type = 'rollback'::text)))
);
ALTER TABLE public.deployments ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.deployments_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.domain_names (
    name text NOT NULL,
    project_id bigint NOT NULL
);
CREATE TABLE public.domains (
    id bigint NOT NULL,
    project_id bigint NOT NULL,
    domain_name text NOT NULL,
    is_primary boolean DEFAULT false NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    redirect_to text,
    redirect_status_code smallint,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT domains_domain_name_check CHECK ((domain_name = lower(domain_name))),
    CONSTRAINT domains_redirect_status_code_check CHECK ((redirect_status_code = ANY (ARRAY[301, 302, 307, 308])))
);
ALTER TABLE public.domains ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.domains_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE SEQUENCE public.event_positions
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.events (
    id bigint NOT NULL,
    "position" bigint,
    organization_id bigint NOT NULL,
    server_id bigint,
    project_id bigint,
    name text NOT NULL,
    data jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE public.events ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.forwardings (
    id bigint NOT NULL,
    project_id bigint NOT NULL,
    project_created_at timestamp with time zone NOT NULL,
    server_id bigint,
    passes_on boolean NOT NULL,
    certificate jsonb,
    until timestamp with time zone NOT NULL
);
ALTER TABLE public.forwardings ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.forwardings_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.heartbeat_gaps (
    id bigint NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    CONSTRAINT heartbeat_gaps_check CHECK ((ended_at > started_at))
);
ALTER TABLE public.heartbeat_gaps ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.heartbeat_gaps_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.heartbeat_intake (
    is_only boolean DEFAULT true NOT NULL,
    alive_at timestamp with time zone NOT NULL,
    CONSTRAINT heartbeat_intake_is_only_check CHECK (is_only)
);
CREATE TABLE public.held_deployments (
    deployment_id bigint NOT NULL,
    project_id bigint NOT NULL,
    held_until timestamp with time zone
);
CREATE TABLE public.hook_deliveries (
    project_id bigint NOT NULL,
    identity text NOT NULL,
    received_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE public.idempotency_keys (
    user_id bigint NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    claim uuid NOT NULL,
    claimed_until timestamp with time zone NOT NULL,
    answer bytea,
    records text[],
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT idempotency_keys_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255)))
);
COMMENT ON COLUMN public.idempotency_keys.answer IS 'encrypted';
CREATE TABLE public.invitation_mails (
    invitation_id bigint NOT NULL,
    token bytea NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT invitation_mails_attempts_check CHECK ((attempts >= 0))
);
COMMENT ON COLUMN public.invitation_mails.token IS 'encrypted';
CREATE TABLE public.invitations (
    id bigint NOT NULL,
    organization_id bigint NOT NULL,
    email text NOT NULL,
    role text NOT NULL,
    restricted boolean DEFAULT false NOT NULL,
    server_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    project_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    digest bytea NOT NULL,
    invited_by bigint,
    expires_at timestamp with time zone NOT NULL,
    accepted_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT invitations_email_check CHECK ((email = lower(email))),
    CONSTRAINT invitations_role_check CHECK ((role = ANY (ARRAY['Owner'::text, 'Admin'::text, 'Member'::text, 'Viewer'::text])))
);
ALTER TABLE public.invitations ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.invitations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.key_check (
    id boolean DEFAULT true NOT NULL,
    ciphertext bytea NOT NULL,
    CONSTRAINT key_check_id_check CHECK (id)
);
COMMENT ON COLUMN public.key_check.ciphertext IS 'encrypted';
CREATE TABLE public.maintenance_window_targets (
    window_id bigint NOT NULL,
    monitor_id bigint,
    server_id bigint,
    CONSTRAINT maintenance_window_targets_check CHECK (((monitor_id IS NULL) <> (server_id IS NULL)))
);
CREATE TABLE public.maintenance_windows (
    id bigint NOT NULL,
    organization_id bigint NOT NULL,
    name text NOT NULL,
    starts_at timestamp with time zone,
    ends_at timestamp with time zone,
    cron_expression text,
    timezone text,
    duration_seconds integer,
    is_for_all boolean NOT NULL,
    active_from timestamp with time zone NOT NULL,
    active_until timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT maintenance_windows_check CHECK ((ends_at > starts_at)),
    CONSTRAINT maintenance_windows_check1 CHECK ((active_until > active_from)),
    CONSTRAINT maintenance_windows_check2 CHECK (((starts_at IS NULL) = (ends_at IS NULL))),
    CONSTRAINT maintenance_windows_check3 CHECK (((cron_expression IS NULL) = (duration_seconds IS NULL))),
    CONSTRAINT maintenance_windows_check4 CHECK (((cron_expression IS NULL) = (timezone IS NULL))),
    CONSTRAINT maintenance_windows_check5 CHECK (((starts_at IS NULL) <> (cron_expression IS NULL))),
    CONSTRAINT maintenance_windows_cron_expression_check CHECK ((length(cron_expression) <= 200)),
    CONSTRAINT maintenance_windows_duration_seconds_check CHECK (((duration_seconds >= 60) AND (duration_seconds <= 604800))),
    CONSTRAINT maintenance_windows_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);
ALTER TABLE public.maintenance_windows ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.maintenance_windows_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.memberships (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    organization_id bigint NOT NULL,
    role text NOT NULL,
    restricted boolean DEFAULT false NOT NULL,
    server_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    project_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT memberships_role_check CHECK ((role = ANY (ARRAY['Owner'::text, 'Admin'::text, 'Member'::text, 'Viewer'::text])))
);
ALTER TABLE public.memberships ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.memberships_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.monitor_events (
    id bigint NOT NULL,
    monitor_id bigint NOT NULL,
    status text NOT NULL,
    message text NOT NULL,
    context jsonb DEFAULT '{}'::jsonb NOT NULL,
    resolved_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT monitor_events_check CHECK (((status = 'down'::text) OR (resolved_at IS NULL))),
    CONSTRAINT monitor_events_check1 CHECK ((resolved_at >= created_at)),
    CONSTRAINT monitor_events_message_check CHECK ((length(message) <= 1000)),
    CONSTRAINT monitor_events_status_check CHECK ((status = ANY (ARRAY['up'::text, 'down'::text])))
);
ALTER TABLE public.monitor_events ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.monitor_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.monitor_hours (
    monitor_id bigint NOT NULL,
    hour timestamp with time zone NOT NULL,
    checks integer NOT NULL,
    ok integer NOT NULL,
    unobserved integer NOT NULL,
    latency_sum_ms bigint NOT NULL,
    latency integer[] NOT NULL,
    statuses integer[] NOT NULL,
    CONSTRAINT monitor_hours_check CHECK (((ok >= 0) AND (ok <= checks))),
    CONSTRAINT monitor_hours_checks_check CHECK ((checks >= 0)),
    CONSTRAINT monitor_hours_latency_check CHECK ((cardinality(latency) = 12)),
    CONSTRAINT monitor_hours_latency_sum_ms_check CHECK ((latency_sum_ms >= 0)),
    CONSTRAINT monitor_hours_statuses_check CHECK ((cardinality(statuses) = 6)),
    CONSTRAINT monitor_hours_unobserved_check CHECK ((unobserved >= 0))
)
PARTITION BY RANGE (hour);
CREATE TABLE public.monitor_hours_2026_11 (
    monitor_id bigint NOT NULL,
    hour timestamp with time zone NOT NULL,
    checks integer NOT NULL,
    ok integer NOT NULL,
    unobserved integer NOT NULL,
    latency_sum_ms bigint NOT NULL,
    latency integer[] NOT NULL,
    statuses integer[] NOT NULL,
    CONSTRAINT monitor_hours_check CHECK (((ok >= 0) AND (ok <= checks))),
    CONSTRAINT monitor_hours_checks_check CHECK ((checks >= 0)),
    CONSTRAINT monitor_hours_latency_check CHECK ((cardinality(latency) = 12)),
    CONSTRAINT monitor_hours_latency_sum_ms_check CHECK ((latency_sum_ms >= 0)),
    CONSTRAINT monitor_hours_statuses_check CHECK ((cardinality(statuses) = 6)),
    CONSTRAINT monitor_hours_unobserved_check CHECK ((unobserved >= 0))
);
CREATE TABLE public.monitor_hours_2026_12 (
    monitor_id bigint NOT NULL,
    hour timestamp with time zone NOT NULL,
    checks integer NOT NULL,
    ok integer NOT NULL,
    unobserved integer NOT NULL,
    latency_sum_ms bigint NOT NULL,
    latency integer[] NOT NULL,
    statuses integer[] NOT NULL,
    CONSTRAINT monitor_hours_check CHECK (((ok >= 0) AND (ok <= checks))),
    CONSTRAINT monitor_hours_checks_check CHECK ((checks >= 0)),
    CONSTRAINT monitor_hours_latency_check CHECK ((cardinality(latency) = 12)),
    CONSTRAINT monitor_hours_latency_sum_ms_check CHECK ((latency_sum_ms >= 0)),
    CONSTRAINT monitor_hours_statuses_check CHECK ((cardinality(statuses) = 6)),
    CONSTRAINT monitor_hours_unobserved_check CHECK ((unobserved >= 0))
);
CREATE TABLE public.monitor_intervals (
    id bigint NOT NULL,
    monitor_id bigint NOT NULL,
    state text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT monitor_intervals_check CHECK ((ended_at >= started_at)),
    CONSTRAINT monitor_intervals_state_check CHECK ((state = ANY (ARRAY['up'::text, 'down'::text, 'unobserved'::text])))
);
ALTER TABLE public.monitor_intervals ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.monitor_intervals_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.monitors (
    id bigint NOT NULL,
    organization_id bigint NOT NULL,
    project_id bigint NOT NULL,
    type text NOT NULL,
    target text NOT NULL,
    domain_id bigint,
    job_id bigint,
    name text NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    revision integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    url text,
    method text,
    expected_status smallint,
    interval_seconds integer,
    timeout_seconds smallint,
    certificate_expires_at timestamp with time zone,
    certificate_notice_days smallint,
    disturbed_since timestamp with time zone,
    expected_period_seconds integer,
    grace_seconds integer,
    ping_token bytea,
    ping_digest bytea,
    watched_since timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_ping_at timestamp with time zone,
    last_ping_kind text,
    last_ping_exit_status smallint,
    last_ping_duration_ms bigint,
    last_ping_body text,
    last_started_at timestamp with time zone,
    last_end_at timestamp with time zone,
    last_end_kind text,
    last_end_run text,
    due_at timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    confirmation_threshold smallint DEFAULT 3 NOT NULL,
    current_status text DEFAULT 'pending'::text NOT NULL,
    last_checked_at timestamp with time zone,
    last_status_changed_at timestamp with time zone,
    observed_until timestamp with time zone,
    flapping_since timestamp with time zone,
    CONSTRAINT monitors_certificate_notice_days_check CHECK ((certificate_notice_days = ANY (ARRAY[21, 7, 1]))),
    CONSTRAINT monitors_check CHECK (((type = 'http'::text) = (target = ANY (ARRAY['project'::text, 'domain'::text])))),
    CONSTRAINT monitors_check1 CHECK (((target = 'domain'::text) = (domain_id IS NOT NULL))),
    CONSTRAINT monitors_check10 CHECK (((type = 'heartbeat'::text) OR ((expected_period_seconds IS NULL) AND (grace_seconds IS NULL) AND (last_ping_at IS NULL)))),
    CONSTRAINT monitors_check11 CHECK (((last_ping_kind IS NULL) = (last_ping_at IS NULL))),
    CONSTRAINT monitors_check12 CHECK (((current_status = 'pending'::text) OR (last_status_changed_at IS NOT NULL))),
    CONSTRAINT monitors_check13 CHECK ((is_active OR (current_status = 'pending'::text))),
    CONSTRAINT monitors_check14 CHECK (((flapping_since IS NULL) OR (current_status <> 'pending'::text))),
    CONSTRAINT monitors_check15 CHECK (((disturbed_since IS NULL) OR (type = 'http'::text))),
    CONSTRAINT monitors_check16 CHECK (((last_end_at IS NULL) = (last_end_kind IS NULL))),
    CONSTRAINT monitors_check17 CHECK (((type = 'heartbeat'::text) OR (last_end_at IS NULL))),
    CONSTRAINT monitors_check2 CHECK (((type = 'heartbeat'::text) = (job_id IS NOT NULL))),
    CONSTRAINT monitors_check3 CHECK (((type = 'http'::text) = (url IS NOT NULL))),
    CONSTRAINT monitors_check4 CHECK (((type = 'http'::text) = (method IS NOT NULL))),
    CONSTRAINT monitors_check5 CHECK (((type = 'http'::text) = (interval_seconds IS NOT NULL))),
    CONSTRAINT monitors_check6 CHECK (((type = 'http'::text) = (timeout_seconds IS NOT NULL))),
    CONSTRAINT monitors_check7 CHECK (((type = 'http'::text) OR ((expected_status IS NULL) AND (certificate_expires_at IS NULL) AND (certificate_notice_days IS NULL)))),
    CONSTRAINT monitors_check8 CHECK (((type = 'heartbeat'::text) = (ping_digest IS NOT NULL))),
    CONSTRAINT monitors_check9 CHECK (((type = 'heartbeat'::text) = (ping_token IS NOT NULL))),
    CONSTRAINT monitors_confirmation_threshold_check CHECK (((confirmation_threshold >= 1) AND (confirmation_threshold <= 10))),
    CONSTRAINT monitors_current_status_check CHECK ((current_status = ANY (ARRAY['pending'::text, 'up'::text, 'down'::text]))),
    CONSTRAINT monitors_expected_period_seconds_check CHECK (((expected_period_seconds >= 60) AND (expected_period_seconds <= 2592000))),
    CONSTRAINT monitors_expected_status_check CHECK (((expected_status >= 100) AND (expected_status <= 599))),
    CONSTRAINT monitors_failures_check CHECK ((failures >= 0)),
    CONSTRAINT monitors_grace_seconds_check CHECK (((grace_seconds >= 30) AND (grace_seconds <= 86400))),
    CONSTRAINT monitors_interval_seconds_check CHECK (((interval_seconds >= 1) AND (interval_seconds <= 86400))),
    CONSTRAINT monitors_last_end_kind_check CHECK ((last_end_kind = ANY (ARRAY['success'::text, 'fail'::text]))),
    CONSTRAINT monitors_last_end_run_check CHECK ((length(last_end_run) <= 64)),
    CONSTRAINT monitors_last_ping_body_check CHECK ((length(last_ping_body) <= 10240)),
    CONSTRAINT monitors_last_ping_duration_ms_check CHECK ((last_ping_duration_ms >= 0)),
    CONSTRAINT monitors_last_ping_exit_status_check CHECK (((last_ping_exit_status >= 0) AND (last_ping_exit_status <= 255))),
    CONSTRAINT monitors_last_ping_kind_check CHECK ((last_ping_kind = ANY (ARRAY['success'::text, 'start'::text, 'fail'::text]))),
    CONSTRAINT monitors_method_check CHECK ((method = ANY (ARRAY['GET'::text, 'HEAD'::text, 'POST'::text]))),
    CONSTRAINT monitors_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT monitors_ping_digest_check CHECK ((octet_length(ping_digest) = 32)),
    CONSTRAINT monitors_target_check CHECK ((target = ANY (ARRAY['project'::text, 'domain'::text, 'scheduled'::text, 'background'::text]))),
    CONSTRAINT monitors_timeout_seconds_check CHECK (((timeout_seconds >= 1) AND (timeout_seconds <= 60))),
    CONSTRAINT monitors_type_check CHECK ((type = ANY (ARRAY['http'::text, 'heartbeat'::text]))),
    CONSTRAINT monitors_url_check CHECK (((length(url) >= 1) AND (length(url) <= 2000)))
)
WITH (fillfactor='80');
COMMENT ON COLUMN public.monitors.ping_token IS 'encrypted';
ALTER TABLE public.monitors ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.monitors_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.moves (
    deployment_id bigint NOT NULL,
    project_id bigint NOT NULL,
    source_id bigint,
    destination_id bigint,
    databases jsonb NOT NULL,
    private_key bytea,
    outcome text,
    error text,
    run_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT moves_check CHECK (((outcome IS NULL) OR (private_key IS NULL))),
    CONSTRAINT moves_outcome_check CHECK ((outcome = ANY (ARRAY['succeeded'::text, 'failed'::text, 'cancelled'::text])))
);
COMMENT ON COLUMN public.moves.private_key IS 'encrypted';
CREATE TABLE public.notification_channels (
    id bigint NOT NULL,
    organization_id bigint NOT NULL,
    monitor_id bigint,
    name text NOT NULL,
    type text NOT NULL,
    target bytea NOT NULL,
    shown_target text NOT NULL,
    secret bytea,
    topics text[] NOT NULL,
    project_ids bigint[],
    is_active boolean DEFAULT true NOT NULL,
    held_until timestamp with time zone,
    last_delivery_status text,
    last_delivery_error text,
    last_delivery_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT notification_channels_check CHECK (((type = 'webhook'::text) = (secret IS NOT NULL))),
    CONSTRAINT notification_channels_check1 CHECK (((last_delivery_status IS NULL) = (last_delivery_at IS NULL))),
    CONSTRAINT notification_channels_last_delivery_status_check CHECK ((last_delivery_status = ANY (ARRAY['queued'::text, 'delivered'::text, 'failed'::text]))),
    CONSTRAINT notification_channels_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT notification_channels_type_check CHECK ((type = ANY (ARRAY['email'::text, 'slack'::text, 'discord'::text, 'telegram'::text, 'webhook'::text])))
);
COMMENT ON COLUMN public.notification_channels.target IS 'encrypted';
COMMENT ON COLUMN public.notification_channels.secret IS 'encrypted';
ALTER TABLE public.notification_channels ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.notification_channels_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.notification_deliveries (
    id bigint NOT NULL,
    channel_id bigint NOT NULL,
    announcement_id bigint NOT NULL,
    is_test boolean DEFAULT false NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    claimed_until timestamp with time zone,
    answer text,
    error text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT notification_deliveries_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT notification_deliveries_check CHECK (((status = 'queued'::text) = (ended_at IS NULL))),
    CONSTRAINT notification_deliveries_check1 CHECK (((status <> 'delivered'::text) OR (error IS NULL))),
    CONSTRAINT notification_deliveries_check2 CHECK (((status <> 'failed'::text) OR (error IS NOT NULL))),
    CONSTRAINT notification_deliveries_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'delivered'::text, 'failed'::text])))
);
ALTER TABLE public.notification_deliveries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.notification_deliveries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.organizations (
    id bigint NOT NULL,
    name text NOT NULL,
    plan text DEFAULT 'starter'::text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT organizations_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT organizations_plan_check CHECK ((plan = ANY (ARRAY['starter'::text, 'pro'::text, 'business'::text])))
);
ALTER TABLE public.organizations ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.organizations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.periodic_tasks (
    name text NOT NULL,
    due_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    lease_token uuid,
    lease_until timestamp with time zone,
    CONSTRAINT periodic_tasks_check CHECK (((lease_token IS NULL) = (lease_until IS NULL)))
);
CREATE TABLE public.placements (
    project_id bigint NOT NULL,
    server_id bigint NOT NULL,
    role text NOT NULL,
    is_prepared boolean DEFAULT false NOT NULL,
    prepared jsonb DEFAULT '{}'::jsonb NOT NULL,
    may_adopt boolean DEFAULT true NOT NULL,
    port_pair integer,
    live_port integer,
    live_deployment_id bigint,
    live_release_id bigint,
    kept_releases bigint[],
    releases_bytes bigint,
    caches_bytes bigint,
    disk_measured_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT placements_caches_bytes_check CHECK ((caches_bytes >= 0)),
    CONSTRAINT placements_check CHECK (((live_port = port_pair) OR (live_port = (port_pair + 1)))),
    CONSTRAINT placements_port_pair_check CHECK (((port_pair >= 20000) AND ((port_pair % 2) = 0) AND (port_pair < 65535))),
    CONSTRAINT placements_releases_bytes_check CHECK ((releases_bytes >= 0)),
    CONSTRAINT placements_role_check CHECK ((role = ANY (ARRAY['own'::text, 'replica'::text, 'arriving'::text, 'leaving'::text])))
);
CREATE TABLE public.process_watches (
    id bigint NOT NULL,
    project_id bigint NOT NULL,
    server_id bigint NOT NULL,
    job_id bigint,
    revision integer DEFAULT 1 NOT NULL,
    checked_at timestamp with time zone NOT NULL,
    counts jsonb NOT NULL,
    recent jsonb NOT NULL,
    last_restart_at timestamp with time zone NOT NULL,
    looping_since timestamp with time zone,
    restarts integer,
    last_lines text[],
    CONSTRAINT process_watches_check CHECK ((((looping_since IS NULL) = (restarts IS NULL)) AND ((looping_since IS NULL) = (last_lines IS NULL)))),
    CONSTRAINT process_watches_counts_check CHECK ((jsonb_typeof(counts) = 'object'::text)),
    CONSTRAINT process_watches_last_lines_check CHECK ((cardinality(last_lines) <= 20)),
    CONSTRAINT process_watches_recent_check CHECK ((jsonb_typeof(recent) = 'array'::text))
);
ALTER TABLE public.process_watches ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.process_watches_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.project_commands (
    id bigint NOT NULL,
    project_id bigint NOT NULL,
    run_id bigint NOT NULL,
    initiated_by bigint,
    command text NOT NULL,
    timeout_seconds integer NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT project_commands_command_check CHECK (((length(command) >= 1) AND (length(command) <= 10000))),
    CONSTRAINT project_commands_timeout_seconds_check CHECK (((timeout_seconds >= 1) AND (timeout_seconds <= 3600)))
);
ALTER TABLE public.project_commands ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.project_commands_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.project_groups (
    id bigint NOT NULL,
    organization_id bigint NOT NULL,
    name text NOT NULL,
    description text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT project_groups_description_check CHECK ((length(description) <= 2000)),
    CONSTRAINT project_groups_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);
ALTER TABLE public.project_groups ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.project_groups_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.project_jobs (
    id bigint NOT NULL,
    project_id bigint NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    command text NOT NULL,
    cron_expression text,
    processes integer,
    is_active boolean DEFAULT true NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    error text,
    heartbeat_url bytea,
    heartbeat_digest text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT project_jobs_check CHECK (((kind = 'scheduled'::text) = (cron_expression IS NOT NULL))),
    CONSTRAINT project_jobs_check1 CHECK (((kind = 'background'::text) = (processes IS NOT NULL))),
    CONSTRAINT project_jobs_check2 CHECK (((status = 'failed'::text) = (error IS NOT NULL))),
    CONSTRAINT project_jobs_check3 CHECK (((heartbeat_url IS NULL) = (heartbeat_digest IS NULL))),
    CONSTRAINT project_jobs_command_check CHECK (((length(command) >= 1) AND (length(command) <= 10000))),
    CONSTRAINT project_jobs_cron_expression_check CHECK (((length(cron_expression) <= 200) AND (cron_expression !~ '[\r\n%]'::text))),
    CONSTRAINT project_jobs_heartbeat_digest_check CHECK ((length(heartbeat_digest) = 64)),
    CONSTRAINT project_jobs_kind_check CHECK ((kind = ANY (ARRAY['scheduled'::text, 'background'::text]))),
    CONSTRAINT project_jobs_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT project_jobs_processes_check CHECK (((processes >= 1) AND (processes <= 32))),
    CONSTRAINT project_jobs_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'inactive'::text, 'failed'::text])))
);
COMMENT ON COLUMN public.project_jobs.heartbeat_url IS 'encrypted';
ALTER TABLE public.project_jobs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.project_jobs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.project_sources (
    project_id bigint NOT NULL,
    provider_id bigint,
    hook_digest bytea NOT NULL,
    hook_token bytea NOT NULL,
    hook_secret bytea NOT NULL,
    organization_id bigint NOT NULL,
    needs_confirmation boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
COMMENT ON COLUMN public.project_sources.hook_token IS 'encrypted';
COMMENT ON COLUMN public.project_sources.hook_secret IS 'encrypted';
CREATE TABLE public.projects (
    id bigint NOT NULL,
    organization_id bigint NOT NULL,
    server_id bigint NOT NULL,
    project_group_id bigint,
    name text NOT NULL,
    framework_id smallint NOT NULL,
    environment text,
    notes text,
    source_type text DEFAULT 'git'::text NOT NULL,
    app_slug text,
    app_version text,
    repository_type text,
    repository text,
    repository_branch text,
    auto_deploy_is_active boolean DEFAULT false NOT NULL,
    installation_status smallint DEFAULT 0 NOT NULL,
    kept_releases_mb integer DEFAULT 5000 NOT NULL,
    custom_commands jsonb DEFAULT '{}'::jsonb NOT NULL,
    environment_variables bytea,
    environment_masking jsonb DEFAULT '{}'::jsonb NOT NULL,
    discard_written_files boolean DEFAULT false NOT NULL,
    max_memory text,
    always_rebuild_frontend boolean DEFAULT false NOT NULL,
    shared_directories text[] DEFAULT '{}'::text[] NOT NULL,
    shared_files text[] DEFAULT '{}'::text[] NOT NULL,
    php_version text,
    node_version text,
    build_cache boolean DEFAULT true NOT NULL,
    output_directory text,
    zero_downtime boolean DEFAULT true NOT NULL,
    health_path text DEFAULT '/'::text NOT NULL,
    health_status integer[],
    start_timeout_seconds integer DEFAULT 60 NOT NULL,
    drain_timeout_seconds integer DEFAULT 30 NOT NULL,
    rollback_on_down boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT projects_check CHECK (((source_type = 'git'::text) = (repository IS NOT NULL))),
    CONSTRAINT projects_drain_timeout_seconds_check CHECK (((drain_timeout_seconds >= 1) AND (drain_timeout_seconds <= 900))),
    CONSTRAINT projects_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'dev'::text]))),
    CONSTRAINT projects_environment_masking_check CHECK ((jsonb_typeof(environment_masking) = 'object'::text)),
    CONSTRAINT projects_framework CHECK (((framework_id >= 1) AND (framework_id <= 10))),
    CONSTRAINT projects_health_path_check CHECK (((health_path ~ '^/'::text) AND (length(health_path) <= 500))),
    CONSTRAINT projects_health_status_check CHECK (((cardinality(health_status) >= 1) AND (cardinality(health_status) <= 20))),
    CONSTRAINT projects_installation_status_check CHECK ((installation_status = ANY (ARRAY[0, 1, 2]))),
    CONSTRAINT projects_kept_releases_mb_check CHECK (((kept_releases_mb >= 100) AND (kept_releases_mb <= 1000000))),
    CONSTRAINT projects_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT projects_node_version_check CHECK (((length(node_version) >= 1) AND (length(node_version) <= 20))),
    CONSTRAINT projects_output_directory_check CHECK (((length(output_directory) >= 1) AND (length(output_directory) <= 400))),
    CONSTRAINT projects_php_version_check CHECK ((php_version ~ '^([0-9]+[.][0-9]+|default)$'::text)),
    CONSTRAINT projects_repository_type_check CHECK ((repository_type = ANY (ARRAY['git_host_a'::text, 'git_host_b'::text, 'git_host_c'::text, 'git'::text]))),
    CONSTRAINT projects_source_type_check CHECK ((source_type = ANY (ARRAY['git'::text, 'app'::text]))),
    CONSTRAINT projects_start_timeout_seconds_check CHECK (((start_timeout_seconds >= 5) AND (start_timeout_seconds <= 600)))
);
COMMENT ON COLUMN public.projects.environment_variables IS 'encrypted';
ALTER TABLE public.projects ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.projects_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.pushes (
    id bigint NOT NULL,
    project_id bigint NOT NULL,
    branch text NOT NULL,
    before_commit text,
    after_commit text NOT NULL,
    pushed_at timestamp with time zone,
    deployment_id bigint,
    received_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE public.pushes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.pushes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.rate_limits (
    user_id bigint NOT NULL,
    bucket text NOT NULL,
    window_started_at timestamp with time zone NOT NULL,
    granted bigint NOT NULL,
    last_grant bigint NOT NULL,
    CONSTRAINT rate_limits_granted_check CHECK ((granted >= 0)),
    CONSTRAINT rate_limits_last_grant_check CHECK ((last_grant >= 0))
);
CREATE TABLE public.removals (
    project_id bigint NOT NULL,
    server_id bigint NOT NULL,
    run_ids bigint[] NOT NULL,
    is_replica boolean NOT NULL,
    project_created_at timestamp with time zone,
    may_adopt boolean DEFAULT true NOT NULL
);
CREATE TABLE public.run_output (
    run_id bigint NOT NULL,
    journal_offset bigint NOT NULL,
    step_position integer,
    audience text NOT NULL,
    text text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT run_output_audience_check CHECK ((audience = ANY (ARRAY['system'::text, 'client'::text])))
);
CREATE TABLE public.run_steps (
    run_id bigint NOT NULL,
    "position" integer NOT NULL,
    key text NOT NULL,
    label text NOT NULL,
    phase text NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    exit_code integer,
    detail text,
    duration_ms bigint,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    CONSTRAINT run_steps_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'running'::text, 'completed'::text, 'failed'::text, 'skipped'::text, 'unreported'::text])))
);
CREATE TABLE public.runs (
    id bigint NOT NULL,
    server_id bigint,
    kind text NOT NULL,
    subject text NOT NULL,
    subject_id bigint NOT NULL,
    plan json NOT NULL,
    is_outlined boolean DEFAULT false NOT NULL,
    nonce text NOT NULL,
    state text DEFAULT 'created'::text NOT NULL,
    journal_offset bigint DEFAULT 0 NOT NULL,
    cancel_requested_at timestamp with time zone,
    error text,
    facts jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    CONSTRAINT runs_check CHECK (((state = ANY (ARRAY['succeeded'::text, 'failed'::text, 'cancelled'::text, 'stalled'::text])) = (ended_at IS NOT NULL))),
    CONSTRAINT runs_state_check CHECK ((state = ANY (ARRAY['created'::text, 'starting'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text, 'stalled'::text])))
);
ALTER TABLE ONLY public.runs ALTER COLUMN plan SET STORAGE EXTERNAL;
ALTER TABLE public.runs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.runs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.schema_migrations (
    number integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    version text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE public.sent_invitations (
    id bigint NOT NULL,
    organization_id bigint NOT NULL,
    invited_by bigint NOT NULL,
    email text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE public.sent_invitations ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sent_invitations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.server_orders (
    id bigint NOT NULL,
    organization_id bigint NOT NULL,
    server_id bigint,
    provider_id bigint,
    provider_type text NOT NULL,
    server_name text NOT NULL,
    key text NOT NULL,
    location text NOT NULL,
    request jsonb NOT NULL,
    server_ref text,
    resources jsonb DEFAULT '[]'::jsonb NOT NULL,
    public_ip inet,
    state text DEFAULT 'ordering'::text NOT NULL,
    error text,
    remaining jsonb DEFAULT '[]'::jsonb NOT NULL,
    monthly_price_net numeric(12,4),
    monthly_price_gross numeric(12,4),
    price_currency text,
    user_data bytea,
    boot_host_key text,
    host_key text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    active_at timestamp with time zone,
    ended_at timestamp with time zone,
    CONSTRAINT server_orders_check CHECK (((state = ANY (ARRAY['failed'::text, 'cancelled'::text, 'removed'::text, 'left'::text, 'released'::text])) = (ended_at IS NOT NULL))),
    CONSTRAINT server_orders_check1 CHECK (((state <> ALL (ARRAY['active'::text, 'released'::text])) OR (user_data IS NULL))),
    CONSTRAINT server_orders_provider_type_check CHECK ((provider_type = ANY (ARRAY['cloud_a'::text, 'cloud_b'::text, 'cloud_c'::text]))),
    CONSTRAINT server_orders_state_check CHECK ((state = ANY (ARRAY['ordering'::text, 'refunding'::text, 'active'::text, 'removing'::text, 'failed'::text, 'cancelled'::text, 'removed'::text, 'left'::text, 'released'::text])))
);
COMMENT ON COLUMN public.server_orders.user_data IS 'encrypted';
ALTER TABLE public.server_orders ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.server_orders_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.server_pins (
    user_id bigint NOT NULL,
    server_id bigint NOT NULL,
    organization_id bigint NOT NULL
);
CREATE TABLE public.server_providers (
    id bigint NOT NULL,
    organization_id bigint NOT NULL,
    name text NOT NULL,
    provider_type text NOT NULL,
    credentials bytea NOT NULL,
    account text,
    swept_at timestamp with time zone,
    sweep_error text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT server_providers_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT server_providers_provider_type_check CHECK ((provider_type = ANY (ARRAY['cloud_a'::text, 'cloud_b'::text, 'cloud_c'::text])))
);
COMMENT ON COLUMN public.server_providers.credentials IS 'encrypted';
ALTER TABLE public.server_providers ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.server_providers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.server_snapshots (
    id bigint NOT NULL,
    organization_id bigint NOT NULL,
    provider_id bigint NOT NULL,
    server_id bigint,
    name text NOT NULL,
    key text NOT NULL,
    location text NOT NULL,
    server_ref text NOT NULL,
    server_os text NOT NULL,
    image_id text,
    state text DEFAULT 'creating'::text NOT NULL,
    error text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    ready_at timestamp with time zone,
    CONSTRAINT server_snapshots_check CHECK (((state <> 'ready'::text) OR ((image_id IS NOT NULL) AND (ready_at IS NOT NULL)))),
    CONSTRAINT server_snapshots_check1 CHECK (((state <> 'failed'::text) OR (error IS NOT NULL))),
    CONSTRAINT server_snapshots_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT server_snapshots_state_check CHECK ((state = ANY (ARRAY['creating'::text, 'ready'::text, 'failed'::text, 'deleting'::text, 'left'::text])))
);
ALTER TABLE public.server_snapshots ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.server_snapshots_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.servers (
    id bigint NOT NULL,
    organization_id bigint NOT NULL,
    name text NOT NULL,
    server_type smallint DEFAULT 0 NOT NULL,
    server_os text NOT NULL,
    environment text,
    timezone text DEFAULT 'UTC'::text NOT NULL,
    notes text,
    queue_limit integer,
    monitoring_enabled boolean DEFAULT true NOT NULL,
    public_ip inet,
    private_ip inet,
    ssh_port integer DEFAULT 22 NOT NULL,
    nat_port integer DEFAULT 22,
    connection_status smallint DEFAULT 0 NOT NULL,
    connection_error text,
    connection_checked_at timestamp with time zone,
    connecting_since timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    connect_at timestamp with time zone,
    ssh_public_key text NOT NULL,
    ssh_private_key bytea NOT NULL,
    host_key text,
    seen_ip inet,
    server_status smallint DEFAULT 0 NOT NULL,
    operating_system text,
    distribution text,
    setup_version text,
    database_engine text DEFAULT 'none'::text NOT NULL,
    service_password bytea,
    allowed_peers text[],
    provider_type text DEFAULT 'custom'::text NOT NULL,
    provider_id bigint,
    delete_protection boolean DEFAULT false NOT NULL,
    monthly_price_net numeric(12,4),
    monthly_price_gross numeric(12,4),
    price_currency text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT servers_check CHECK (((provider_id IS NULL) OR (provider_type <> 'custom'::text))),
    CONSTRAINT servers_connection_status_check CHECK ((connection_status = ANY (ARRAY[0, 1]))),
    CONSTRAINT servers_database_engine_check CHECK ((database_engine = ANY (ARRAY['mariadb'::text, 'postgresql'::text, 'none'::text]))),
    CONSTRAINT servers_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'dev'::text]))),
    CONSTRAINT servers_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT servers_nat_port_check CHECK (((nat_port >= 1) AND (nat_port <= 65535))),
    CONSTRAINT servers_private_ip_check CHECK ((NOT (private_ip <<= '::ffff:0.0.0.0/96'::inet))),
    CONSTRAINT servers_provider_type_check CHECK ((provider_type = ANY (ARRAY['cloud_a'::text, 'cloud_b'::text, 'cloud_c'::text, 'custom'::text]))),
    CONSTRAINT servers_public_ip_check CHECK ((NOT (public_ip <<= '::ffff:0.0.0.0/96'::inet))),
    CONSTRAINT servers_queue_limit_check CHECK ((queue_limit > 0)),
    CONSTRAINT servers_server_status_check CHECK ((server_status = ANY (ARRAY[0, 1, 10]))),
    CONSTRAINT servers_server_type_check CHECK (((server_type >= 0) AND (server_type <= 4))),
    CONSTRAINT servers_ssh_port_check CHECK (((ssh_port >= 1) AND (ssh_port <= 65535)))
);
COMMENT ON COLUMN public.servers.ssh_private_key IS 'encrypted';
COMMENT ON COLUMN public.servers.service_password IS 'encrypted';
ALTER TABLE public.servers ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.servers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.shard_members (
    name text NOT NULL,
    owner uuid NOT NULL,
    seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE public.shards (
    name text NOT NULL,
    shard integer NOT NULL,
    owner uuid,
    lease_until timestamp with time zone,
    CONSTRAINT shards_check CHECK (((owner IS NULL) = (lease_until IS NULL)))
);
CREATE TABLE public.sign_in_attempts (
    bucket bytea NOT NULL,
    attempts integer NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    CONSTRAINT sign_in_attempts_attempts_check CHECK ((attempts >= 0))
);
CREATE TABLE public.site_changes (
    id bigint NOT NULL,
    project_id bigint NOT NULL,
    before jsonb NOT NULL,
    basic_auth_hash bytea,
    state text DEFAULT 'pending'::text NOT NULL,
    version bigint NOT NULL,
    reason text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT site_changes_check CHECK (((state = 'refused'::text) = (reason IS NOT NULL))),
    CONSTRAINT site_changes_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'accepted'::text, 'refused'::text])))
);
COMMENT ON COLUMN public.site_changes.basic_auth_hash IS 'encrypted';
ALTER TABLE public.site_changes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.site_changes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.sites (
    project_id bigint NOT NULL,
    ssl_is_enabled boolean DEFAULT false NOT NULL,
    hsts_is_enabled boolean DEFAULT false NOT NULL,
    redirect_status_code smallint DEFAULT 301 NOT NULL,
    www_redirect smallint DEFAULT 0 NOT NULL,
    maintenance_mode boolean DEFAULT false NOT NULL,
    markdown_negotiation_enabled boolean DEFAULT false NOT NULL,
    spa_fallback boolean,
    max_upload_mb integer DEFAULT 100 NOT NULL,
    trusted_proxies text[] DEFAULT '{}'::text[] NOT NULL,
    basic_auth_user text,
    basic_auth_hash bytea,
    basic_auth_version integer DEFAULT 0 NOT NULL,
    web_server_drift jsonb,
    load_balancer_id bigint,
    balancer_site text,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT sites_check CHECK (((basic_auth_user IS NULL) = (basic_auth_hash IS NULL))),
    CONSTRAINT sites_max_upload_mb_check CHECK (((max_upload_mb >= 1) AND (max_upload_mb <= 10240))),
    CONSTRAINT sites_redirect_status_code_check CHECK ((redirect_status_code = ANY (ARRAY[301, 302, 307, 308]))),
    CONSTRAINT sites_www_redirect_check CHECK ((www_redirect = ANY (ARRAY[0, 1, 2])))
);
COMMENT ON COLUMN public.sites.basic_auth_hash IS 'encrypted';
CREATE TABLE public.source_providers (
    id bigint NOT NULL,
    organization_id bigint NOT NULL,
    name text NOT NULL,
    provider_type text NOT NULL,
    credentials bytea NOT NULL,
    account text NOT NULL,
    deleted_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT source_providers_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT source_providers_provider_type_check CHECK ((provider_type = ANY (ARRAY['git_host_a'::text, 'git_host_b'::text, 'git_host_c'::text])))
);
COMMENT ON COLUMN public.source_providers.credentials IS 'encrypted';
ALTER TABLE public.source_providers ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.source_providers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.source_registrations (
    id bigint NOT NULL,
    project_id bigint NOT NULL,
    provider_id bigint NOT NULL,
    repository text NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    state text DEFAULT 'wanted'::text NOT NULL,
    remote_id text,
    fingerprint text,
    ssh_url text,
    error text,
    is_settled boolean DEFAULT false NOT NULL,
    obsolete_since timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT source_registrations_check CHECK (((state <> 'registered'::text) OR (remote_id IS NOT NULL))),
    CONSTRAINT source_registrations_check1 CHECK (((state = 'obsolete'::text) = (obsolete_since IS NOT NULL))),
    CONSTRAINT source_registrations_kind_check CHECK ((kind = ANY (ARRAY['key'::text, 'hook'::text]))),
    CONSTRAINT source_registrations_state_check CHECK ((state = ANY (ARRAY['wanted'::text, 'registered'::text, 'obsolete'::text])))
);
ALTER TABLE public.source_registrations ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.source_registrations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ssh_access (
    id bigint NOT NULL,
    server_id bigint NOT NULL,
    ssh_key_id bigint,
    account text NOT NULL,
    name text NOT NULL,
    fingerprint text NOT NULL,
    granted_by bigint,
    removed_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT ssh_access_account_check CHECK ((account = 'root'::text))
);
ALTER TABLE public.ssh_access ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.ssh_access_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ssh_keys (
    id bigint NOT NULL,
    user_id bigint,
    organization_id bigint,
    name text NOT NULL,
    public_key text NOT NULL,
    fingerprint text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT ssh_keys_check CHECK ((num_nonnulls(user_id, organization_id) = 1)),
    CONSTRAINT ssh_keys_public_key_check CHECK ((public_key ~ '^[a-z0-9@.-]+ [A-Za-z0-9+/]+=*$'::text))
);
ALTER TABLE public.ssh_keys ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.ssh_keys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.status_incident_updates (
    id bigint NOT NULL,
    incident_id bigint NOT NULL,
    state text NOT NULL,
    text text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT status_incident_updates_state_check CHECK ((state = ANY (ARRAY['investigating'::text, 'identified'::text, 'monitoring'::text, 'resolved'::text]))),
    CONSTRAINT status_incident_updates_text_check CHECK (((length(text) >= 1) AND (length(text) <= 5000)))
);
ALTER TABLE public.status_incident_updates ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.status_incident_updates_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.status_incidents (
    id bigint NOT NULL,
    page_id bigint NOT NULL,
    title text NOT NULL,
    state text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    resolved_at timestamp with time zone,
    CONSTRAINT status_incidents_check CHECK (((state = 'resolved'::text) = (resolved_at IS NOT NULL))),
    CONSTRAINT status_incidents_state_check CHECK ((state = ANY (ARRAY['investigating'::text, 'identified'::text, 'monitoring'::text, 'resolved'::text]))),
    CONSTRAINT status_incidents_title_check CHECK (((length(title) >= 1) AND (length(title) <= 200)))
);
ALTER TABLE public.status_incidents ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.status_incidents_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.status_page_monitors (
    page_id bigint NOT NULL,
    monitor_id bigint NOT NULL,
    "position" integer NOT NULL,
    label text,
    CONSTRAINT status_page_monitors_label_check CHECK (((length(label) >= 1) AND (length(label) <= 100)))
);
CREATE TABLE public.status_pages (
    id bigint NOT NULL,
    organization_id bigint NOT NULL,
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    slug text NOT NULL,
    domain text,
    is_public boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT status_pages_description_check CHECK ((length(description) <= 2000)),
    CONSTRAINT status_pages_domain_check CHECK ((length(domain) <= 253)),
    CONSTRAINT status_pages_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT status_pages_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(slug) <= 60)))
);
ALTER TABLE public.status_pages ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.status_pages_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.targets (
    id bigint NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    subject_id bigint NOT NULL,
    server_id bigint,
    wanted_version bigint DEFAULT 1 NOT NULL,
    applied_version bigint DEFAULT 0 NOT NULL,
    given_up_version bigint DEFAULT 0 NOT NULL,
    run_id bigint,
    running_version bigint,
    attempts integer DEFAULT 0 NOT NULL,
    error text,
    retry_at timestamp with time zone,
    since timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    lease_token uuid,
    lease_until timestamp with time zone,
    CONSTRAINT targets_check CHECK (((lease_token IS NULL) = (lease_until IS NULL))),
    CONSTRAINT targets_check1 CHECK (((applied_version <= wanted_version) AND (given_up_version <= wanted_version))),
    CONSTRAINT targets_check2 CHECK (((run_id IS NULL) OR (running_version IS NOT NULL)))
);
ALTER TABLE public.targets ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.targets_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.tokens (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    organization_id bigint,
    is_bound boolean DEFAULT false NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    digest bytea NOT NULL,
    permissions text[] NOT NULL,
    expires_at timestamp with time zone,
    last_used_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT tokens_check CHECK (((NOT is_bound) OR (organization_id IS NOT NULL))),
    CONSTRAINT tokens_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);
ALTER TABLE public.tokens ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.tokens_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.user_preferences (
    user_id bigint NOT NULL,
    preferences jsonb DEFAULT '{}'::jsonb NOT NULL
);
CREATE TABLE public.users (
    id bigint NOT NULL,
    email text NOT NULL,
    email_verified boolean DEFAULT true NOT NULL,
    name text NOT NULL,
    image text,
    two_factor_enabled boolean DEFAULT false NOT NULL,
    current_organization_id bigint,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT users_email_check CHECK ((email = lower(email))),
    CONSTRAINT users_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);
ALTER TABLE public.users ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.users_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.workflow_phases (
    workflow_id bigint NOT NULL,
    "position" integer NOT NULL,
    name text NOT NULL,
    label text NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    detail text,
    attempts integer DEFAULT 0 NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    CONSTRAINT workflow_phases_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'running'::text, 'completed'::text, 'failed'::text, 'skipped'::text, 'undone'::text])))
);
CREATE TABLE public.workflows (
    id bigint NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    subject_id bigint NOT NULL,
    organization_id bigint,
    state text DEFAULT 'running'::text NOT NULL,
    phase text,
    phase_started_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    data jsonb DEFAULT '{}'::jsonb NOT NULL,
    run_id bigint,
    error text,
    is_undoable boolean DEFAULT true NOT NULL,
    cancel_requested_at timestamp with time zone,
    retry_at timestamp with time zone,
    lease_token uuid,
    lease_until timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT workflows_check CHECK (((ended_at IS NULL) = (state = ANY (ARRAY['running'::text, 'undoing'::text])))),
    CONSTRAINT workflows_check1 CHECK (((lease_token IS NULL) = (lease_until IS NULL))),
    CONSTRAINT workflows_state_check CHECK ((state = ANY (ARRAY['running'::text, 'undoing'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])))
);
ALTER TABLE public.workflows ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.workflows_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE queue.bam (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    version integer NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    queue text,
    table_name text NOT NULL,
    command text NOT NULL,
    error text,
    created_on timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone
);
CREATE TABLE queue.job (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state queue.job_state DEFAULT 'created'::queue.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    blocked boolean DEFAULT false NOT NULL,
    blocking boolean DEFAULT false NOT NULL,
    pending_dependencies integer DEFAULT 0 NOT NULL,
    source_name text,
    source_id uuid,
    source_created_on timestamp with time zone,
    source_retry_count integer,
    source_output jsonb,
    source_root_id uuid
)
PARTITION BY LIST (name);
CREATE TABLE queue.job_common (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state queue.job_state DEFAULT 'created'::queue.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    blocked boolean DEFAULT false NOT NULL,
    blocking boolean DEFAULT false NOT NULL,
    pending_dependencies integer DEFAULT 0 NOT NULL,
    source_name text,
    source_id uuid,
    source_created_on timestamp with time zone,
    source_retry_count integer,
    source_output jsonb,
    source_root_id uuid,
    CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK ((NOT ((policy = 'key_strict_fifo'::text) AND (singleton_key IS NULL))))
);
CREATE TABLE queue.job_dependency (
    child_name text NOT NULL,
    child_id uuid NOT NULL,
    parent_name text NOT NULL,
    parent_id uuid NOT NULL
);
CREATE TABLE queue.queue (
    name text NOT NULL,
    policy text NOT NULL,
    retry_limit integer NOT NULL,
    retry_delay integer NOT NULL,
    retry_backoff boolean NOT NULL,
    retry_delay_max integer,
    expire_seconds integer NOT NULL,
    retention_seconds integer NOT NULL,
    deletion_seconds integer NOT NULL,
    dead_letter text,
    partition boolean NOT NULL,
    table_name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    warning_queued integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    created_delta integer DEFAULT 0 NOT NULL,
    completed_delta integer DEFAULT 0 NOT NULL,
    failed_delta integer DEFAULT 0 NOT NULL,
    delta_on timestamp with time zone,
    delta_seconds integer,
    ready_history integer[] DEFAULT '{}'::integer[] NOT NULL,
    heartbeat_seconds integer,
    notify boolean DEFAULT false NOT NULL,
    singletons_active text[],
    monitor_claim_on timestamp with time zone,
    monitor_on timestamp with time zone,
    maintain_on timestamp with time zone,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT queue_check CHECK ((dead_letter IS DISTINCT FROM name))
);
CREATE TABLE queue.queue_stats (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    created_delta integer,
    completed_delta integer,
    failed_delta integer,
    delta_seconds integer,
    delta_on timestamp with time zone,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
)
PARTITION BY RANGE (captured_on);
CREATE TABLE queue.queue_stats_20261126 (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    created_delta integer,
    completed_delta integer,
    failed_delta integer,
    delta_seconds integer,
    delta_on timestamp with time zone,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE queue.queue_stats_20261127 (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    created_delta integer,
    completed_delta integer,
    failed_delta integer,
    delta_seconds integer,
    delta_on timestamp with time zone,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE queue.schedule (
    name text NOT NULL,
    key text DEFAULT ''::text NOT NULL,
    kind text DEFAULT 'cron'::text NOT NULL,
    cron text NOT NULL,
    timezone text DEFAULT 'UTC'::text,
    data jsonb,
    options jsonb,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL,
    last_job_id uuid,
    CONSTRAINT schedule_kind_check CHECK ((kind = ANY (ARRAY['cron'::text, 'rrule'::text])))
);
CREATE TABLE queue.subscription (
    event text NOT NULL,
    name text NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE queue.version (
    version integer NOT NULL,
    cron_on timestamp with time zone,
    bam_on timestamp with time zone,
    flow_on timestamp with time zone,
    reindex_on timestamp with time zone,
    monitor_backoff_on timestamp with time zone
);
CREATE TABLE queue.warning (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    type text NOT NULL,
    message text NOT NULL,
    data jsonb,
    created_on timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY public.monitor_hours ATTACH PARTITION public.monitor_hours_2026_11 FOR VALUES FROM ('2026-11-01 00:00:00+00') TO ('2026-12-01 00:00:00+00');
ALTER TABLE ONLY public.monitor_hours ATTACH PARTITION public.monitor_hours_2026_12 FOR VALUES FROM ('2026-12-01 00:00:00+00') TO ('2027-01-01 00:00:00+00');
ALTER TABLE ONLY queue.job ATTACH PARTITION queue.job_common DEFAULT;
ALTER TABLE ONLY queue.queue_stats ATTACH PARTITION queue.queue_stats_20261126 FOR VALUES FROM ('2026-11-26 00:00:00+00') TO ('2026-11-27 00:00:00+00');
ALTER TABLE ONLY queue.queue_stats ATTACH PARTITION queue.queue_stats_20261127 FOR VALUES FROM ('2026-11-27 00:00:00+00') TO ('2026-11-28 00:00:00+00');
INSERT INTO public.acme_accounts VALUES
	('https://acme.example/dir', '\x01e5acf658b4c112f1f2a6efb6f33c58f316e6471407582459198a868dcf17d2b5a16f90202bb26bc1cd5a', NULL, '2026-11-26 17:16:15.696719+00');
INSERT INTO public.acme_pauses VALUES
	('https://acme.example/dir', 'new-order', '2126-11-26 17:16:15.69755+00', 'A limit.');
INSERT INTO public.acme_requests OVERRIDING SYSTEM VALUE VALUES
	(1, 'https://acme.example/dir', 'new-order', NULL, '2026-11-26 17:16:15.697149+00');
INSERT INTO public.announcements OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'deployment.failed', 'Deployment failed', 'It failed.', '{}', NULL, '2026-11-26 17:16:15.65822+00');
INSERT INTO public.app_installations VALUES
	(4, '\x01e5acf658e9ddbd87a2a5dc7078022eabdb250a64f228bccbff2d300febff5a35932c87d1b35b8e9f8edcd2a8db0c3a0418a6950f826524b2cd2d5d', 1, 0, 'off', NULL, false, NULL, '2026-11-27 17:16:15.471603+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.471607+00', '2026-11-26 17:16:15.471607+00');
INSERT INTO public.audit_log OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 1, 'alice@example.com', NULL, NULL, 'PUT /api/v1/servers/:id', 'Change a server', '{server/1}', '{name}', 'req-1', '2026-11-26 17:16:15.645266+00');
INSERT INTO public.auth_accounts OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'credential', '1', 'salt:hash', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.621799+00', '2026-11-26 17:16:15.6218+00');
INSERT INTO public.auth_passkeys OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'laptop', 'a key', 'an id', 0, 'singleDevice', false, NULL, NULL, '2026-11-26 17:16:15.627233+00');
INSERT INTO public.auth_secret VALUES
	(true, '\x01e5acf6589b3a2918aea2c923f4ae246eea82bad1e31ff15901fd857b5e44aa1f91ec073cc5d708530c5b927101');
INSERT INTO public.auth_sessions OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'a session', '2126-11-26 17:16:15.628885+00', NULL, NULL, '2026-11-26 17:16:15.629177+00', '2026-11-26 17:16:15.629178+00');
INSERT INTO public.auth_two_factors OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'a secret', 'codes', true, 0, NULL);
INSERT INTO public.auth_used_codes VALUES
	(1, '\x6120646967657374', '2026-11-26 17:16:15.692412+00');
INSERT INTO public.auth_verifications OVERRIDING SYSTEM VALUE VALUES
	(1, 'a challenge', 'value', '2126-11-26 17:16:15.633512+00', '2026-11-26 17:16:15.633697+00', '2026-11-26 17:16:15.633697+00');
INSERT INTO public.certificate_orders OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 1, 'custom', 'succeeded', '{shop.example.com}', '[]', 'probe', NULL, NULL, NULL, '[]', false, NULL, '\x01e5acf658bc0fcd45cdce292bad393abff97461523c344e0749be4d42153318bc39859b', NULL, '{}', NULL, '2026-11-26 17:16:15.695502+00', '2026-11-26 17:16:15.695502+00', '2026-11-26 17:16:15.695153+00');
INSERT INTO public.certificates OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'custom', 1, 1, 1, '{}', '[]', '2026-11-26 17:16:15.606819+00', '2027-02-24 17:16:15.606819+00', false, NULL, 0, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.607439+00', '2026-11-26 17:16:15.607439+00');
INSERT INTO public.cloud_call_limits VALUES
	(1, 'all', 2.5, '2026-11-26 17:16:15.66234+00', NULL);
INSERT INTO public.cloud_catalogues VALUES
	(1, 'prices', '', '[]', '2026-11-26 17:16:15.663026+00', NULL);
INSERT INTO public.cloud_orphans VALUES
	(1, 'server', '77', 'here', NULL, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.664614+00');
INSERT INTO public.cloud_owner VALUES
	(true, 'longshore-9990fa61b1');
INSERT INTO public.database_engines VALUES
	(9, NULL, '[{"name": "found", "collation": "hidden", "sizeBytes": 1, "connections": 0, "characterSet": "utf8mb4"}]', '2026-11-26 17:16:15.558317+00', NULL, '2026-11-26 17:16:15.558317+00');
INSERT INTO public.database_imports OVERRIDING SYSTEM VALUE VALUES
	(1, 2, NULL, false, 0, 1, NULL, NULL, '2026-11-26 17:16:15.550493+00', '2026-11-26 17:16:15.550236+00');
INSERT INTO public.database_users OVERRIDING SYSTEM VALUE VALUES
	(1, 3, 'hidden_22', '\x01e5acf6589952aa8bd0ed1779662729bcc857b0471f268b47fbdd2c0f33a73a3a06a96e22020e227c34de', 1, NULL, NULL, '2026-11-26 17:16:15.563794+00');
INSERT INTO public.databases OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 4, 'mariadb', 'cms_4', 'cms_4', '\x01e5acf65880b56b02f85b43ea145e7d7b7bceee7d633fb014e81cecd278966da5e1a388eb698c', 1, true, false, false, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.466242+00', '2026-11-26 17:16:15.466242+00'),
	(2, 8, NULL, 'mariadb', 'hidden_18', 'hidden_18', '\x01e5acf658c6ec1b63037eb5f8ddc559fef0f774f0ccd9dc47bc65d728a6a43e0688029c4297ae301a40c3', 1, true, false, false, NULL, NULL, 'hidden', NULL, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.548452+00', '2026-11-26 17:16:15.548452+00'),
	(3, 10, NULL, 'mariadb', 'hidden_21', 'hidden_21', '\x01e5acf658a0ee453ef1617813af9024a5ec80514d7e190f1fdd65a98e33eacc594088c5b3054fcb3a42f0', 1, true, false, false, NULL, NULL, 'hidden', NULL, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.562563+00', '2026-11-26 17:16:15.562563+00');
INSERT INTO public.departed_servers OVERRIDING SYSTEM VALUE VALUES
	(1, 'gone', '2001:db8::99', 22, 'ssh-ed25519 AAAA', 'ssh-ed25519 AAAA', '\x01e5acf658362864d2c7f69886b3be75254daacf5f0cfdd2c883ffb57bf925cb96c839a63d76dbba1888e581f3c4', '{}', '2026-11-26 17:16:15.667593+00');
INSERT INTO public.deploy_keys VALUES
	(1, 1, 'ssh-ed25519 AAAA', '2026-11-26 17:16:15.687144+00');
INSERT INTO public.deployments OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 1, 1, NULL, NULL, 'deployment', 'hidden', 'main', '0123456789abcdef0123456789abcdef01234567', NULL, NULL, NULL, NULL, NULL, 1, 0, NULL, '{}', NULL, NULL, '2026-11-26 17:16:15.224784+00', '2026-11-26 17:16:15.224784+00', '2026-11-26 17:16:15.22+00', '2026-11-26 17:16:15.22+00'),
	(2, 1, 2, 1, NULL, NULL, 'deployment', 'hidden', 'main', '0123456789abcdef0123456789abcdef01234567', NULL, NULL, NULL, NULL, NULL, 1, 0, NULL, '{}', NULL, NULL, '2026-11-26 17:16:15.252319+00', '2026-11-26 17:16:15.252319+00', '2026-11-26 17:16:15.251+00', '2026-11-26 17:16:15.251+00'),
	(3, 1, 3, 1, NULL, NULL, 'deployment', 'hidden', 'main', '0123456789abcdef0123456789abcdef01234567', NULL, NULL, NULL, NULL, NULL, 1, 0, NULL, '{}', NULL, NULL, '2026-11-26 17:16:15.449266+00', '2026-11-26 17:16:15.449266+00', '2026-11-26 17:16:15.448+00', '2026-11-26 17:16:15.448+00'),
	(4, 1, 4, 1, NULL, NULL, 'deployment', 'hidden', 'main', '0123456789abcdef0123456789abcdef01234567', NULL, NULL, NULL, NULL, NULL, 1, 0, NULL, '{}', NULL, NULL, '2026-11-26 17:16:15.4614+00', '2026-11-26 17:16:15.4614+00', '2026-11-26 17:16:15.46+00', '2026-11-26 17:16:15.46+00'),
	(5, 1, 5, 1, NULL, NULL, 'deployment', 'hidden', 'main', '0123456789abcdef0123456789abcdef01234567', NULL, NULL, NULL, NULL, NULL, 1, 0, NULL, '{}', NULL, NULL, '2026-11-26 17:16:15.492824+00', '2026-11-26 17:16:15.492824+00', '2026-11-26 17:16:15.49+00', '2026-11-26 17:16:15.49+00'),
	(6, 1, 6, 1, NULL, NULL, 'deployment', 'hidden', 'main', '0123456789abcdef0123456789abcdef01234567', NULL, NULL, NULL, NULL, NULL, 1, 0, NULL, '{}', NULL, NULL, '2026-11-26 17:16:15.508283+00', '2026-11-26 17:16:15.508283+00', '2026-11-26 17:16:15.507+00', '2026-11-26 17:16:15.507+00'),
	(7, 1, 6, 1, NULL, NULL, 'deployment', 'hidden', 'main', '0123456789abcdef0123456789abcdef01234567', NULL, NULL, NULL, NULL, NULL, 1, 1, NULL, '{}', NULL, NULL, '2026-11-26 17:16:15.517999+00', '2026-11-26 17:16:15.517999+00', '2026-11-26 17:16:15.516+00', '2026-11-26 17:16:15.516+00'),
	(8, 1, 7, 1, NULL, NULL, 'deployment', 'hidden', 'main', '0123456789abcdef0123456789abcdef01234567', NULL, NULL, NULL, NULL, NULL, 1, 1, NULL, '{}', NULL, NULL, '2026-11-26 17:16:15.53176+00', '2026-11-26 17:16:15.53176+00', '2026-11-26 17:16:15.531+00', '2026-11-26 17:16:15.531+00'),
	(9, 1, 1, 1, NULL, NULL, 'deployment', 'hidden', 'main', NULL, NULL, NULL, NULL, NULL, NULL, 1, 1, NULL, '{}', NULL, NULL, '2026-11-26 17:16:15.535047+00', '2026-11-26 17:16:15.535047+00', '2026-11-26 17:16:15.534+00', '2026-11-26 17:16:15.534+00'),
	(10, 1, 1, 1, NULL, NULL, 'deployment', 'hidden', 'main', NULL, NULL, NULL, NULL, NULL, NULL, 2, 2, NULL, '{}', NULL, NULL, '2026-11-26 17:16:15.537176+00', '2026-11-26 17:16:15.537176+00', '2026-11-26 17:16:15.536+00', '2026-11-26 17:16:15.536+00'),
	(11, 1, 1, 1, NULL, NULL, 'deployment', 'hidden', 'main', NULL, NULL, NULL, NULL, NULL, NULL, 5, 3, NULL, '{}', NULL, NULL, '2026-11-26 17:16:15.537837+00', '2026-11-26 17:16:15.537837+00', '2026-11-26 17:16:15.537+00', '2026-11-26 17:16:15.537+00'),
	(12, 1, 8, 1, NULL, NULL, 'deployment', 'hidden', 'main', '0123456789abcdef0123456789abcdef01234567', NULL, NULL, NULL, NULL, NULL, 1, 3, NULL, '{}', NULL, NULL, '2026-11-26 17:16:15.56955+00', '2026-11-26 17:16:15.56955+00', '2026-11-26 17:16:15.569+00', '2026-11-26 17:16:15.569+00'),
	(13, 1, 9, 1, NULL, NULL, 'deployment', 'hidden', 'main', '0123456789abcdef0123456789abcdef01234567', NULL, NULL, NULL, NULL, NULL, 1, 3, NULL, '{}', NULL, NULL, '2026-11-26 17:16:15.579843+00', '2026-11-26 17:16:15.579843+00', '2026-11-26 17:16:15.579+00', '2026-11-26 17:16:15.579+00'),
	(14, 1, 10, 1, NULL, NULL, 'deployment', 'hidden', 'main', '0123456789abcdef0123456789abcdef01234567', NULL, NULL, NULL, NULL, NULL, 1, 3, NULL, '{}', NULL, NULL, '2026-11-26 17:16:15.589774+00', '2026-11-26 17:16:15.589774+00', '2026-11-26 17:16:15.589+00', '2026-11-26 17:16:15.589+00');
INSERT INTO public.domain_names VALUES
	('hidden-2.example.com', 1),
	('hidden-4.example.com', 2),
	('hidden-11.example.com', 3),
	('hidden-12.example.com', 4),
	('hidden-14.example.com', 5),
	('hidden-15.example.com', 6),
	('hidden-16.example.com', 7),
	('hidden-23.example.com', 8),
	('hidden-24.example.com', 9),
	('hidden-25.example.com', 10);
INSERT INTO public.domains OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'hidden-2.example.com', true, true, NULL, NULL, '2026-11-26 17:16:15.21668+00'),
	(2, 2, 'hidden-4.example.com', true, true, NULL, NULL, '2026-11-26 17:16:15.248707+00'),
	(3, 3, 'hidden-11.example.com', true, true, NULL, NULL, '2026-11-26 17:16:15.446758+00'),
	(4, 4, 'hidden-12.example.com', true, true, NULL, NULL, '2026-11-26 17:16:15.458081+00'),
	(5, 5, 'hidden-14.example.com', true, true, NULL, NULL, '2026-11-26 17:16:15.488112+00'),
	(6, 6, 'hidden-15.example.com', true, true, NULL, NULL, '2026-11-26 17:16:15.507069+00'),
	(7, 7, 'hidden-16.example.com', true, true, NULL, NULL, '2026-11-26 17:16:15.529288+00'),
	(8, 8, 'hidden-23.example.com', true, true, NULL, NULL, '2026-11-26 17:16:15.568899+00'),
	(9, 9, 'hidden-24.example.com', true, true, NULL, NULL, '2026-11-26 17:16:15.579129+00'),
	(10, 10, 'hidden-25.example.com', true, true, NULL, NULL, '2026-11-26 17:16:15.588992+00');
INSERT INTO public.events OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 1, 1, NULL, 'server.updated', '{"id": 1}', '2026-11-26 17:16:15.648198+00');
INSERT INTO public.forwardings OVERRIDING SYSTEM VALUE VALUES
	(1, 1, '2026-11-26 17:16:15.693094+00', 1, true, NULL, '2126-11-26 17:16:15.693094+00');
INSERT INTO public.heartbeat_gaps OVERRIDING SYSTEM VALUE VALUES
	(1, '2026-11-26 16:16:15.701498+00', '2026-11-26 17:16:15.701498+00');
INSERT INTO public.heartbeat_intake VALUES
	(true, '2026-11-26 17:16:14.665815+00');
INSERT INTO public.held_deployments VALUES
	(1, 1, NULL);
INSERT INTO public.hook_deliveries VALUES
	(1, 'delivery-1', '2026-11-26 17:16:15.689134+00');
INSERT INTO public.idempotency_keys VALUES
	(1, 'deploy-1', '\x01', 'b5a7b2c4-6d0e-4a53-9a34-2f1f6a1f0c11', '2126-11-26 17:16:15.642536+00', '\x01e5acf6585ba7b7218bc6b200d3219ac704d9a25810e0f208dbaa7c8e5cc627e5b507', NULL, '2026-11-26 17:16:15.642536+00');
INSERT INTO public.invitation_mails VALUES
	(1, '\x01e5acf6581fbaa2232102f361403c3d25402b30eebd7ec0ec0ebdc3219b6efa7e8e72517e83e47dc9e106f95469', 0, '2026-11-26 17:16:15.638688+00');
INSERT INTO public.invitations OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'guest-26@example.com', 'Member', false, '{}', '{}', '\xb18204ff44e9b4c8c71ef7135572b0683ddf132c066af45d87f7610f20135509', NULL, '2026-11-27 17:16:15.610383+00', NULL, '2026-11-26 17:16:15.610637+00');
INSERT INTO public.key_check VALUES
	(true, '\x01e5acf6582fb0c1752a26970aa23c5ce3db2ca7a4539dd5149d089b4aa9e68f142bd84adddc0796b9cb');
INSERT INTO public.maintenance_window_targets VALUES
	(1, 1, NULL);
INSERT INTO public.maintenance_windows OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'hidden', '2026-01-01 00:00:00+00', '2026-01-02 00:00:00+00', NULL, NULL, NULL, false, '2026-01-01 00:00:00+00', '2026-01-02 00:00:00+00', '2026-11-26 17:16:15.583156+00', '2026-11-26 17:16:15.583156+00');
INSERT INTO public.memberships OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 1, 'Owner', false, '{}', '{}', '2026-11-26 17:16:15.120751+00'),
	(2, 2, 1, 'Admin', false, '{}', '{}', '2026-11-26 17:16:15.139198+00'),
	(3, 3, 1, 'Member', false, '{}', '{}', '2026-11-26 17:16:15.14499+00'),
	(4, 4, 1, 'Viewer', false, '{}', '{}', '2026-11-26 17:16:15.155294+00'),
	(5, 5, 2, 'Owner', false, '{}', '{}', '2026-11-26 17:16:15.162862+00');
INSERT INTO public.monitor_events OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'up', 'It answers.', '{}', NULL, '2026-11-26 17:16:15.698144+00');
INSERT INTO public.monitor_hours_2026_11 VALUES
	(1, '2026-11-26 17:00:00+00', 60, 59, 0, 700, '{5,5,5,5,5,5,5,5,5,5,5,5}', '{10,10,10,10,10,10}');
INSERT INTO public.monitor_intervals OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'up', '2026-11-26 17:16:15.699434+00', NULL);
INSERT INTO public.monitors OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 9, 'http', 'project', NULL, NULL, 'hidden', true, 1, '2026-11-26 17:16:15.581593+00', '2026-11-26 17:16:15.581593+00', 'https://shop.example.com/', 'GET', NULL, 60, 10, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.581594+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 3, 'pending', NULL, NULL, NULL, NULL),
	(2, 1, 10, 'http', 'project', NULL, NULL, 'hidden', true, 1, '2026-11-26 17:16:15.590967+00', '2026-11-26 17:16:15.590967+00', 'https://shop.example.com/', 'GET', NULL, 60, 10, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.590967+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 3, 'pending', NULL, NULL, NULL, NULL);
INSERT INTO public.moves VALUES
	(1, 1, 1, 1, '[]', NULL, 'succeeded', NULL, '{}', '2026-11-26 17:16:15.681875+00');
INSERT INTO public.notification_channels OVERRIDING SYSTEM VALUE VALUES
	(1, 1, NULL, 'hidden', 'email', '\x01e5acf6582f598c878413d9bbfcae797d8220eb296ae4e52b6c43b4b1af02e880e5600359664a5f5a9185fdda28a43fe2127216de28de81d7af41b6ad567a5c', 'hidden', NULL, '{deployment.failed}', NULL, true, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.54073+00', '2026-11-26 17:16:15.54073+00');
INSERT INTO public.notification_deliveries OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 1, false, 'delivered', 0, '2026-11-26 17:16:15.661245+00', NULL, NULL, NULL, '2026-11-26 17:16:15.661245+00', '2026-11-26 17:16:15.660819+00');
INSERT INTO public.organizations OVERRIDING SYSTEM VALUE VALUES
	(1, 'Acme', 'business', '2026-11-26 17:16:15.112874+00'),
	(2, 'Charlie''s', 'starter', '2026-11-26 17:16:15.160421+00');
INSERT INTO public.periodic_tasks VALUES
	('delete-old-events', '2026-11-26 17:16:15.668308+00', NULL, NULL);
INSERT INTO public.placements VALUES
	(1, 1, 'own', true, '{}', true, NULL, NULL, 1, 1, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.211008+00'),
	(2, 1, 'own', true, '{}', true, NULL, NULL, 2, 2, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.241021+00'),
	(2, 3, 'replica', false, '{}', true, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.328765+00'),
	(3, 1, 'own', true, '{}', true, NULL, NULL, 3, 3, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.444697+00'),
	(4, 1, 'own', true, '{}', true, NULL, NULL, 4, 4, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.454844+00'),
	(5, 1, 'own', true, '{}', true, NULL, NULL, 5, 5, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.486787+00'),
	(6, 1, 'own', true, '{}', true, NULL, NULL, 6, 7, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.506095+00'),
	(7, 1, 'own', true, '{}', true, NULL, NULL, 8, 8, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.52667+00'),
	(8, 1, 'own', true, '{}', true, NULL, NULL, 12, 12, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.56818+00'),
	(9, 1, 'own', true, '{}', true, NULL, NULL, 13, 13, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.578436+00'),
	(10, 1, 'own', true, '{}', true, NULL, NULL, 14, 14, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.585713+00');
INSERT INTO public.process_watches OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 1, NULL, 1, '2026-11-26 17:16:15.691538+00', '{}', '[]', '2026-11-26 17:16:15.691538+00', NULL, NULL, NULL);
INSERT INTO public.project_commands OVERRIDING SYSTEM VALUE VALUES
	(1, 8, 1, NULL, 'echo hidden', 60, '2026-11-26 17:16:15.57597+00');
INSERT INTO public.project_groups OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'hidden group', 'hidden', '2026-11-26 17:16:15.52358+00', '2026-11-26 17:16:15.52358+00');
INSERT INTO public.project_jobs OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'scheduled', 'hidden', 'true', '@hourly', NULL, true, 'pending', NULL, NULL, NULL, '2026-11-26 17:16:15.56574+00', '2026-11-26 17:16:15.56574+00'),
	(2, 1, 'background', 'hidden', 'true', NULL, 1, true, 'pending', NULL, NULL, NULL, '2026-11-26 17:16:15.56673+00', '2026-11-26 17:16:15.56673+00');
INSERT INTO public.project_sources VALUES
	(5, NULL, '\x084f58700d61d51c29b34e8728c9f7aa5f951cf210370b4ed19f899dfda18397', '\x01e5acf658e77de2975a5416b3d7c8810dc9e6c38956799c73569e5565b793db8dff832e4e5e1bb637', '\x01e5acf6584d6cce93764d6533a7f99ff2378e03be988fd2cc242a3114e1100d61c15dbd4eb71b1997', 1, false, '2026-11-26 17:16:15.498512+00');
INSERT INTO public.projects OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 1, NULL, 'hidden project', 10, NULL, 'hidden', 'git', NULL, NULL, 'git', 'https://git.example.com/shop.git', 'main', false, 1, 5000, '{}', NULL, '{}', false, NULL, false, '{}', '{}', NULL, NULL, true, NULL, true, '/', NULL, 60, 30, false, '2026-11-26 17:16:15.210325+00', '2026-11-26 17:16:15.210326+00'),
	(2, 1, 1, NULL, 'hidden project', 10, NULL, 'hidden', 'git', NULL, NULL, 'git', 'https://git.example.com/shop.git', 'main', false, 1, 5000, '{}', NULL, '{}', false, NULL, false, '{}', '{}', NULL, NULL, true, NULL, true, '/', NULL, 60, 30, false, '2026-11-26 17:16:15.240795+00', '2026-11-26 17:16:15.240795+00'),
	(3, 1, 1, NULL, 'hidden project', 10, NULL, 'hidden', 'git', NULL, NULL, 'git', 'https://git.example.com/shop.git', 'main', false, 1, 5000, '{}', '\x01e5acf65872c1c43c461dd30ad4facbb0c30b351d888912432c5b2d5c970cb01bc717b2f4399bbe07fb6c761fd659', '{}', false, NULL, false, '{}', '{}', NULL, NULL, true, NULL, true, '/', NULL, 60, 30, false, '2026-11-26 17:16:15.444434+00', '2026-11-26 17:16:15.444434+00'),
	(4, 1, 1, NULL, 'hidden project4', 10, NULL, 'hidden', 'app', 'wordpress', '6.8.5', NULL, NULL, 'main', false, 1, 5000, '{}', NULL, '{}', false, NULL, false, '{}', '{}', NULL, NULL, true, NULL, true, '/', NULL, 60, 30, false, '2026-11-26 17:16:15.454621+00', '2026-11-26 17:16:15.454621+00'),
	(5, 1, 1, NULL, 'hidden project', 10, NULL, 'hidden', 'git', NULL, NULL, 'git', 'https://git.example.com/shop.git', 'main', false, 1, 5000, '{}', NULL, '{}', false, NULL, false, '{}', '{}', NULL, NULL, true, NULL, true, '/', NULL, 60, 30, false, '2026-11-26 17:16:15.486548+00', '2026-11-26 17:16:15.486548+00'),
	(6, 1, 1, NULL, 'hidden project', 10, NULL, 'hidden', 'git', NULL, NULL, 'git', 'https://git.example.com/shop.git', 'main', false, 1, 5000, '{}', NULL, '{}', false, NULL, false, '{}', '{}', NULL, NULL, true, NULL, true, '/', NULL, 60, 30, false, '2026-11-26 17:16:15.505962+00', '2026-11-26 17:16:15.505962+00'),
	(7, 1, 1, 1, 'hidden project', 10, NULL, 'hidden', 'git', NULL, NULL, 'git', 'https://git.example.com/shop.git', 'main', false, 1, 5000, '{}', NULL, '{}', false, NULL, false, '{}', '{}', NULL, NULL, true, NULL, true, '/', NULL, 60, 30, false, '2026-11-26 17:16:15.5265+00', '2026-11-26 17:16:15.5265+00'),
	(8, 1, 1, NULL, 'hidden project', 10, NULL, 'hidden', 'git', NULL, NULL, 'git', 'https://git.example.com/shop.git', 'main', false, 1, 5000, '{}', NULL, '{}', false, NULL, false, '{}', '{}', NULL, NULL, true, NULL, true, '/', NULL, 60, 30, false, '2026-11-26 17:16:15.568029+00', '2026-11-26 17:16:15.568029+00'),
	(9, 1, 1, NULL, 'hidden project', 10, NULL, 'hidden', 'git', NULL, NULL, 'git', 'https://git.example.com/shop.git', 'main', false, 1, 5000, '{}', NULL, '{}', false, NULL, false, '{}', '{}', NULL, NULL, true, NULL, true, '/', NULL, 60, 30, false, '2026-11-26 17:16:15.578277+00', '2026-11-26 17:16:15.578277+00'),
	(10, 1, 1, NULL, 'hidden project', 10, NULL, 'hidden', 'git', NULL, NULL, 'git', 'https://git.example.com/shop.git', 'main', false, 1, 5000, '{}', NULL, '{}', false, NULL, false, '{}', '{}', NULL, NULL, true, NULL, true, '/', NULL, 60, 30, false, '2026-11-26 17:16:15.585559+00', '2026-11-26 17:16:15.585559+00');
INSERT INTO public.pushes OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'main', NULL, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', NULL, NULL, '2026-11-26 17:16:15.689876+00');
INSERT INTO public.rate_limits VALUES
	(1, 'api', '2026-11-26 17:16:15.641555+00', 5, 5);
INSERT INTO public.removals VALUES
	(77, 1, '{}', false, NULL, true);
INSERT INTO public.run_output VALUES
	(1, 0, 0, 'client', 'It was built.', '2026-11-26 17:16:15.673456+00');
INSERT INTO public.run_steps VALUES
	(1, 0, 'build', 'Build', 'build', 'completed', 0, NULL, NULL, NULL, NULL);
INSERT INTO public.runs OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'command', 'project', 8, '{"steps": []}', false, 'n', 'succeeded', 0, NULL, NULL, '{}', '2026-11-26 17:16:15.574472+00', NULL, '2026-11-26 17:16:15.573+00');
INSERT INTO public.schema_migrations VALUES
	(1, '0001-installation', '373457bbc3a8c406a0f27a93fec4b4c973df6f5a6b9b5add1aedae0a180ab8a9', '0.2.0', '2026-11-26 17:16:13.979879+00'),
	(2, '0002-accounts', '2175822ef2f814937452860c58aae9cb0f7fee3d55de427282e3733357e7f4c5', '0.2.0', '2026-11-26 17:16:14.054074+00'),
	(3, '0003-sign-in', '5e52397f76cc8a7b318d370abb2bb06c631cc3923ba357daa842a0e45e8c357b', '0.2.0', '2026-11-26 17:16:14.106037+00'),
	(4, '0004-requests', '47d0b40fec58fdec2bebf450e240eddc02d2dae75cd9a4abe13ed9219dfbc54c', '0.2.0', '2026-11-26 17:16:14.131554+00'),
	(5, '0005-cloud-providers', 'b10e6aee67731d71f3f7133c70188fc43090e6013af80e42edbe120e59a6d26c', '0.2.0', '2026-11-26 17:16:14.169339+00'),
	(6, '0006-servers', 'a206c1668b5ece245b5957f470e47e359a55de1aa006a09fb80ad76f8854b09d', '0.2.0', '2026-11-26 17:16:14.234295+00'),
	(7, '0007-engine', '1c14d6d8af9ae135b10a084edab258c2d3c11f7f327009c0e2b75a21d932b9eb', '0.2.0', '2026-11-26 17:16:14.288602+00'),
	(8, '0008-projects', 'dfe2323ffcb4381a2df6bee400f3a6315fae97fb7d56219a910fa6b4096532a3', '0.2.0', '2026-11-26 17:16:14.358123+00'),
	(9, '0009-deployments', 'c69fb71e21a5e701ea28abbb852425958251f6e306103778d060f83eb70a3e03', '0.2.0', '2026-11-26 17:16:14.404256+00'),
	(10, '0010-sources', '3fe9cc790cb360a32fa2a46c2c42840fc3ea6c3ae122f5d88b0f5fd359e1928e', '0.2.0', '2026-11-26 17:16:14.442532+00'),
	(11, '0011-domains-and-certificates', '6079520f2936b74d75edab46ee1149fa80d7a2f3e977842e26ab2b80a784ee8c', '0.2.0', '2026-11-26 17:16:14.483047+00'),
	(12, '0012-databases', '95bcb7761a5d3b0b658ddc4e23cf61e885f1f08d3029c609300bed8aa4cdc356', '0.2.0', '2026-11-26 17:16:14.527419+00'),
	(13, '0013-applications', 'dc420d2d46da4ab1e9f96e254cee7d057c6e067a10e7ff4398896007d264e60b', '0.2.0', '2026-11-26 17:16:14.539942+00'),
	(14, '0014-jobs', '3ab4d446325bcfa5eaefa03f423413dab7d5fd1badd986d740e7189f75272a76', '0.2.0', '2026-11-26 17:16:14.579343+00'),
	(15, '0015-monitors', 'f34ccc6a199b960dcb8676424e2e48cf4600c35d996c809e75944cf23589380b', '0.2.0', '2026-11-26 17:16:14.708831+00'),
	(16, '0016-status-pages', '376c07dabe2234aa3b447dc71469bb2dc8a9eb7199268b11f84f9c4d00a89888', '0.2.0', '2026-11-26 17:16:14.728292+00'),
	(17, '0017-notifications', '3a016a695c508816ede2005d1fc258e4a7e968be413fa03ddb7795b752f395d2', '0.2.0', '2026-11-26 17:16:14.742027+00');
INSERT INTO public.sent_invitations OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 1, 'new@example.com', '2026-11-26 17:16:15.640153+00');
INSERT INTO public.server_orders OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 6, 1, 'cloud_a', 'hidden server', 'order-6', 'fsn1', '{"image": "67794396", "volume": null, "network": null, "location": "fsn1", "ownImage": null, "serverOs": "ubuntu_24_04", "serverType": "cx23", "useFirewall": false, "useStaticAddress": false}', '1', '[]', NULL, 'active', NULL, '[]', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.432305+00', '2026-11-26 17:16:15.431571+00', NULL),
	(2, 1, 7, 2, 'cloud_a', 'hidden server', 'order-7', 'fsn1', '{"image": "67794396", "volume": null, "network": null, "location": "fsn1", "ownImage": null, "serverOs": "ubuntu_24_04", "serverType": "cx23", "useFirewall": false, "useStaticAddress": false}', '1', '[]', NULL, 'active', NULL, '[]', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.440214+00', '2026-11-26 17:16:15.439944+00', NULL);
INSERT INTO public.server_pins VALUES
	(1, 2, 1);
INSERT INTO public.server_providers OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'Our cloud', 'cloud_a', '\x01e5acf6581591f9cabc2219adb63bebdfd6edc657dcb1be18e1e268e9cdbc65883a63c4803611c8f3d876a85f7a1e8fc5603ad12edf146a6738258bc8b0ccca305dd42d30aaf53bc7969ba0f483501e4f51dc356b10f9d2e9be9c491fd861f76a28714a0284892ce1daa090ee', 'acme', NULL, NULL, '2026-11-26 17:16:15.427+00'),
	(2, 1, 'Our cloud', 'cloud_a', '\x01e5acf65813003e9aad14a8b4804a4359d6f814da9b51effb490548cf4893d561fdb4919aea031316a3fc48eb0419a530f49e2f8a9cb1c2c365498e4ebfc8c5d38a0400df1ca72eb1f1efc1ca3461c10454bb1d852ab72cfad3196163735e8fd4d47f74ae9e3d47617a4ead8f', 'acme', NULL, NULL, '2026-11-26 17:16:15.436225+00');
INSERT INTO public.server_snapshots OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 2, 7, 'hidden', 'image-7', 'fsn1', '1', 'ubuntu_24_04', '9', 'ready', NULL, '2026-11-26 17:16:15.441609+00', '2026-11-26 17:16:15.44112+00');
INSERT INTO public.servers OVERRIDING SYSTEM VALUE VALUES
	(2, 1, 'hidden server', 4, 'debian_12', NULL, 'UTC', 'hidden server', NULL, true, '2001:db8::3', NULL, 22, 22, 1, NULL, NULL, '2026-11-26 17:16:15.232484+00', NULL, 'ssh-ed25519 AAAA', '\x01e5acf6588f19fe076aa77acf9861ea28a24ad97111dda6824f1f63ccd569f411ebee7bc71af170b5c09a00fb18', 'ssh-ed25519 AAAA', NULL, 10, NULL, NULL, NULL, 'none', NULL, NULL, 'custom', NULL, false, NULL, NULL, NULL, '2026-11-26 17:16:15.232484+00', '2026-11-26 17:16:15.232485+00'),
	(3, 1, 'hidden server', 0, 'debian_12', NULL, 'UTC', 'hidden server', NULL, true, '2001:db8::5', NULL, 22, 22, 1, NULL, NULL, '2026-11-26 17:16:15.278286+00', NULL, 'ssh-ed25519 AAAA', '\x01e5acf658d7ce7fe9c58e9d4452c0791212ea480a90deae02933cf4a5e87a2f9963fd8e916e30ec874e46a54819', 'ssh-ed25519 AAAA', NULL, 10, NULL, NULL, NULL, 'none', NULL, NULL, 'custom', NULL, false, NULL, NULL, NULL, '2026-11-26 17:16:15.278287+00', '2026-11-26 17:16:15.278287+00'),
	(4, 1, 'hidden server', 2, 'debian_12', NULL, 'UTC', 'hidden server', NULL, true, '2001:db8::6', NULL, 22, 22, 1, NULL, NULL, '2026-11-26 17:16:15.34981+00', NULL, 'ssh-ed25519 AAAA', '\x01e5acf65832d490f9577158b7fc41e9faa0bcf7dd73d170cf98ef87575f3f17a6d945e16af36ed910fd356bf9ad', 'ssh-ed25519 AAAA', NULL, 10, NULL, NULL, NULL, 'none', '\x01e5acf658496f8b13ee3f00f816c2afb8283c4aa5f7b9d496dc4d9e93c96224e36b563d76c7eb', NULL, 'custom', NULL, false, NULL, NULL, NULL, '2026-11-26 17:16:15.34981+00', '2026-11-26 17:16:15.349811+00'),
	(5, 1, 'hidden server', 0, 'debian_12', NULL, 'UTC', 'hidden server', NULL, true, '2001:db8::7', NULL, 22, 22, 1, NULL, NULL, '2026-11-26 17:16:15.400067+00', NULL, 'ssh-ed25519 AAAA', '\x01e5acf65869eb92b4d098ba53abebf856e316b5e120c252404bc4a951f40f605f7c7ad1109b7b329fe28141a326', 'ssh-ed25519 AAAA', NULL, 10, NULL, NULL, NULL, 'none', NULL, NULL, 'custom', NULL, false, NULL, NULL, NULL, '2026-11-26 17:16:15.400068+00', '2026-11-26 17:16:15.400068+00'),
	(6, 1, 'hidden server', 0, 'debian_12', NULL, 'UTC', 'hidden server', NULL, true, '2001:db8::9', NULL, 22, 22, 1, NULL, NULL, '2026-11-26 17:16:15.424517+00', NULL, 'ssh-ed25519 AAAA', '\x01e5acf6585d3a02ad4b076774124113b08ff9b2c620d8efeb0b0253c5e3809b8b83a496d77ad8b9567e37b2f1fe', 'ssh-ed25519 AAAA', NULL, 10, NULL, NULL, NULL, 'none', NULL, NULL, 'cloud_a', 1, false, 3.2900, NULL, NULL, '2026-11-26 17:16:15.424518+00', '2026-11-26 17:16:15.424518+00'),
	(7, 1, 'hidden server', 0, 'debian_12', NULL, 'UTC', 'hidden server', NULL, true, '2001:db8::a', NULL, 22, 22, 1, NULL, NULL, '2026-11-26 17:16:15.434479+00', NULL, 'ssh-ed25519 AAAA', '\x01e5acf65879ebc1d41942dedd1a9d5ecd36c0cf25d6dedfd4be82895237c201d4c353dde5cd553c81aebe4c6f71', 'ssh-ed25519 AAAA', NULL, 10, NULL, NULL, NULL, 'none', NULL, NULL, 'cloud_a', 2, false, 3.2900, NULL, NULL, '2026-11-26 17:16:15.43448+00', '2026-11-26 17:16:15.43448+00'),
	(1, 1, 'hidden server', 0, 'debian_12', NULL, 'UTC', 'hidden server', NULL, true, '2001:db8::1', NULL, 22, 22, 1, NULL, NULL, '2026-11-26 17:16:15.207801+00', NULL, 'ssh-ed25519 AAAA', '\x01e5acf6587197303d08c5ba20663b4859a05d408b098198f0903df0d19abccc4bfaa31053c96b3cafbec4d3272e', 'ssh-ed25519 AAAA', NULL, 10, NULL, NULL, NULL, 'mariadb', NULL, NULL, 'custom', NULL, false, NULL, NULL, NULL, '2026-11-26 17:16:15.207802+00', '2026-11-26 17:16:15.207802+00'),
	(8, 1, 'hidden server', 0, 'debian_12', NULL, 'UTC', 'hidden server', NULL, true, '2001:db8::11', NULL, 22, 22, 1, NULL, NULL, '2026-11-26 17:16:15.545706+00', NULL, 'ssh-ed25519 AAAA', '\x01e5acf6586c26d9cb14efaf93a2d095753a096c18cc7be43ec92ea121e3590b5f46cda95f1032cd20fc286ea1b7', 'ssh-ed25519 AAAA', NULL, 10, NULL, NULL, NULL, 'mariadb', NULL, NULL, 'custom', NULL, false, NULL, NULL, NULL, '2026-11-26 17:16:15.545706+00', '2026-11-26 17:16:15.545706+00'),
	(9, 1, 'hidden server', 0, 'debian_12', NULL, 'UTC', 'hidden server', NULL, true, '2001:db8::13', NULL, 22, 22, 1, NULL, NULL, '2026-11-26 17:16:15.556351+00', NULL, 'ssh-ed25519 AAAA', '\x01e5acf658d13d11e23af11606a94484ddd6c88784d14acb05504074c7c69b2c22d77ea7fabc410cd4b16302f536', 'ssh-ed25519 AAAA', NULL, 10, NULL, NULL, NULL, 'mariadb', NULL, NULL, 'custom', NULL, false, NULL, NULL, NULL, '2026-11-26 17:16:15.556351+00', '2026-11-26 17:16:15.556351+00'),
	(10, 1, 'hidden server', 0, 'debian_12', NULL, 'UTC', 'hidden server', NULL, true, '2001:db8::14', NULL, 22, 22, 1, NULL, NULL, '2026-11-26 17:16:15.559689+00', NULL, 'ssh-ed25519 AAAA', '\x01e5acf658c0fea7bac64092d5001adc241b20082c169b6a6b6273732bd1d0bb23e2be924e2ed83fc0c97f78e13a', 'ssh-ed25519 AAAA', NULL, 10, NULL, NULL, NULL, 'mariadb', NULL, NULL, 'custom', NULL, false, NULL, NULL, NULL, '2026-11-26 17:16:15.55969+00', '2026-11-26 17:16:15.55969+00');
INSERT INTO public.shard_members VALUES
	('monitors', 'b5a7b2c4-6d0e-4a53-9a34-2f1f6a1f0c11', '2026-11-26 17:16:15.670076+00');
INSERT INTO public.shards VALUES
	('monitors', 0, NULL, NULL);
INSERT INTO public.sign_in_attempts VALUES
	('\x01', 3, '2126-11-26 17:16:15.634146+00');
INSERT INTO public.site_changes OVERRIDING SYSTEM VALUE VALUES
	(1, 1, '{}', NULL, 'accepted', 1, NULL, '2026-11-26 17:16:15.694575+00');
INSERT INTO public.sites VALUES
	(1, false, false, 301, 0, false, false, NULL, 100, '{}', NULL, NULL, 0, NULL, NULL, NULL, '2026-11-26 17:16:15.21141+00'),
	(2, false, false, 301, 0, false, false, NULL, 100, '{}', NULL, NULL, 0, NULL, 2, NULL, '2026-11-26 17:16:15.241115+00'),
	(3, false, false, 301, 0, false, false, NULL, 100, '{}', NULL, NULL, 0, NULL, NULL, NULL, '2026-11-26 17:16:15.444795+00'),
	(4, false, false, 301, 0, false, false, NULL, 100, '{}', NULL, NULL, 0, NULL, NULL, NULL, '2026-11-26 17:16:15.454939+00'),
	(5, false, false, 301, 0, false, false, NULL, 100, '{}', NULL, NULL, 0, NULL, NULL, NULL, '2026-11-26 17:16:15.486879+00'),
	(6, false, false, 301, 0, false, false, NULL, 100, '{}', NULL, NULL, 0, NULL, NULL, NULL, '2026-11-26 17:16:15.506152+00'),
	(7, false, false, 301, 0, false, false, NULL, 100, '{}', NULL, NULL, 0, NULL, NULL, NULL, '2026-11-26 17:16:15.526725+00'),
	(8, false, false, 301, 0, false, false, NULL, 100, '{}', NULL, NULL, 0, NULL, NULL, NULL, '2026-11-26 17:16:15.568247+00'),
	(9, false, false, 301, 0, false, false, NULL, 100, '{}', NULL, NULL, 0, NULL, NULL, NULL, '2026-11-26 17:16:15.5785+00'),
	(10, false, false, 301, 0, false, false, NULL, 100, '{}', NULL, NULL, 0, NULL, NULL, NULL, '2026-11-26 17:16:15.585781+00');
INSERT INTO public.source_providers OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'hidden account', 'git_host_a', '\x01e5acf65809bd5352ca937e01fa3b2c5e9e2e1352899149978ac9cd82544d026ba305ea3ab2636bd92980b73fceebc67d2e655e2d9e8ce2332f6ab87f51067367f9ba6c4dc10ea9', 'hidden', NULL, '2026-11-26 17:16:15.48331+00');
INSERT INTO public.source_registrations OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 1, 'acme/shop', 'hook', 'push', 'registered', '7', NULL, NULL, NULL, true, NULL, '2026-11-26 17:16:15.688007+00');
INSERT INTO public.ssh_access OVERRIDING SYSTEM VALUE VALUES
	(1, 5, 1, 'root', 'hidden key', 'SHA256:8', NULL, NULL, '2026-11-26 17:16:15.412231+00');
INSERT INTO public.ssh_keys OVERRIDING SYSTEM VALUE VALUES
	(1, NULL, 1, 'hidden key', 'ssh-ed25519 AAAA', 'SHA256:8', '2026-11-26 17:16:15.406458+00');
INSERT INTO public.status_incident_updates OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'identified', 'hidden', '2026-11-26 17:16:15.605456+00'),
	(2, 1, 'identified', 'hidden', '2026-11-26 17:16:15.606179+00');
INSERT INTO public.status_incidents OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'hidden', 'identified', '2026-11-26 17:16:15.60445+00', '2026-11-26 17:16:15.60445+00', NULL);
INSERT INTO public.status_page_monitors VALUES
	(1, 2, 1, NULL);
INSERT INTO public.status_pages OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'hidden', '', 'page-d3a2ddc8-9364-460a-9b53-87ca2ec1295a', NULL, true, '2026-11-26 17:16:15.596213+00', '2026-11-26 17:16:15.596214+00');
INSERT INTO public.targets OVERRIDING SYSTEM VALUE VALUES
	(1, 'timezone', 'server', 1, 1, 1, 1, 0, NULL, NULL, 0, NULL, NULL, '2026-11-26 17:16:15.674492+00', NULL, NULL);
INSERT INTO public.tokens OVERRIDING SYSTEM VALUE VALUES
	(1, 1, NULL, false, 'Alice''s token', 'lsh_NSkN', '\xa92cd1dd4d16ff51d5d530c900be3988a95932bb5c6050ae48fe5b8b967157fb', '{*}', NULL, NULL, '2026-11-26 17:16:15.17941+00'),
	(2, 2, NULL, false, 'Adam''s token', 'lsh_9WF7', '\xb6d9ee837f3e763885816c5e27e9962278fffbb4435ea1e23f65ec10b3e0b72e', '{*}', NULL, NULL, '2026-11-26 17:16:15.185504+00'),
	(3, 3, NULL, false, 'Bob''s token', 'lsh_1HoY', '\xc1ba24b29b292cdd52a9d4e7bd838152b09d4092cb323b0c13d93ef0d64ae097', '{*}', NULL, NULL, '2026-11-26 17:16:15.192702+00'),
	(4, 4, NULL, false, 'Victor''s token', 'lsh_sbHy', '\x2836fd243d40397129fca2ffa648160ea44299def8d75c2030c37af467a89d42', '{*}', NULL, NULL, '2026-11-26 17:16:15.198335+00'),
	(5, 5, NULL, false, 'Charlie''s token', 'lsh_R1az', '\x031dfbf23ad872fb67162c60869502680d7b5f14de101bf1e7c8b7073c5a0ee9', '{*}', NULL, NULL, '2026-11-26 17:16:15.204534+00');
INSERT INTO public.user_preferences VALUES
	(1, '{"theme": "dark"}');
INSERT INTO public.users OVERRIDING SYSTEM VALUE VALUES
	(1, 'alice@example.com', true, 'Alice', NULL, false, 1, '2026-11-26 17:16:15.119035+00', '2026-11-26 17:16:15.119035+00'),
	(2, 'adam@example.com', true, 'Adam', NULL, false, 1, '2026-11-26 17:16:15.137644+00', '2026-11-26 17:16:15.137644+00'),
	(3, 'bob@example.com', true, 'Bob', NULL, false, 1, '2026-11-26 17:16:15.144306+00', '2026-11-26 17:16:15.144306+00'),
	(4, 'victor@example.com', true, 'Victor', NULL, false, 1, '2026-11-26 17:16:15.150542+00', '2026-11-26 17:16:15.150542+00'),
	(5, 'charlie@example.com', true, 'Charlie', NULL, false, 2, '2026-11-26 17:16:15.162205+00', '2026-11-26 17:16:15.162205+00');
INSERT INTO public.workflow_phases VALUES
	(1, 0, 'order', 'Order', 'completed', NULL, 0, NULL, NULL);
INSERT INTO public.workflows OVERRIDING SYSTEM VALUE VALUES
	(1, 'certificate', 'project', 1, 1, 'succeeded', NULL, NULL, 0, '{}', NULL, NULL, true, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.677539+00', '2026-11-26 17:16:15.677127+00');
INSERT INTO queue.job_common VALUES
	('59e4ad2d-63cb-4d79-84e0-9830492a2e64', 'dispatch-deployments', 0, '{"serverIds": [1]}', 'created', 100000, 0, 1, true, 60, 86399, 3600, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.7039+00', '2026-11-26 17:16:15.7039+00', NULL, NULL, '2026-12-10 17:16:15.7039+00', NULL, NULL, 'standard', NULL, 10, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO queue.queue VALUES
	('run', 'standard', 100000, 1, true, 60, 86399, 1209600, 3600, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, '{}', 10, false, NULL, NULL, NULL, NULL, '2026-11-26 17:16:14.938602+00', '2026-11-26 17:16:14.938602+00'),
	('cancel-run', 'standard', 100000, 1, true, 60, 86399, 1209600, 3600, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, '{}', 10, false, NULL, NULL, NULL, NULL, '2026-11-26 17:16:14.963741+00', '2026-11-26 17:16:14.963741+00'),
	('reconcile', 'short', 100000, 1, true, 60, 86399, 1209600, 3600, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, '{}', 10, false, NULL, NULL, NULL, NULL, '2026-11-26 17:16:14.967821+00', '2026-11-26 17:16:14.967821+00'),
	('reconcile-outside', 'short', 100000, 1, true, 60, 86399, 1209600, 3600, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, '{}', 10, false, NULL, NULL, NULL, NULL, '2026-11-26 17:16:14.980212+00', '2026-11-26 17:16:14.980212+00'),
	('workflow', 'short', 100000, 1, true, 60, 86399, 1209600, 3600, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, '{}', 10, false, NULL, NULL, NULL, NULL, '2026-11-26 17:16:14.983166+00', '2026-11-26 17:16:14.983166+00'),
	('mail-invitations', 'standard', 100000, 1, true, 60, 86399, 1209600, 3600, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, '{}', 10, false, NULL, NULL, NULL, NULL, '2026-11-26 17:16:14.989207+00', '2026-11-26 17:16:14.989207+00'),
	('deliver-notifications', 'short', 100000, 1, true, 60, 86399, 1209600, 3600, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, '{}', 10, false, NULL, NULL, NULL, NULL, '2026-11-26 17:16:14.998204+00', '2026-11-26 17:16:14.998204+00'),
	('leave-server', 'standard', 100000, 1, true, 60, 86399, 1209600, 3600, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, '{}', 10, false, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.006587+00', '2026-11-26 17:16:15.006587+00'),
	('announce-unreachable-server', 'short', 100000, 1, true, 60, 86399, 1209600, 3600, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, '{}', 10, false, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.019417+00', '2026-11-26 17:16:15.019417+00'),
	('reconcile-certificate', 'short', 100000, 1, true, 60, 86399, 1209600, 3600, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, '{}', 10, false, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.022401+00', '2026-11-26 17:16:15.022401+00'),
	('dispatch-deployments', 'standard', 100000, 1, true, 60, 86399, 1209600, 3600, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, '{}', 10, false, NULL, NULL, NULL, NULL, '2026-11-26 17:16:15.063378+00', '2026-11-26 17:16:15.063378+00');
INSERT INTO queue.version VALUES
	(43, NULL, '2026-11-26 17:16:14.950928+00', '2026-11-26 17:16:14.962595+00', NULL, NULL);
SELECT pg_catalog.setval('public.acme_requests_id_seq', 1, true);
SELECT pg_catalog.setval('public.announcements_id_seq', 1, true);
SELECT pg_catalog.setval('public.audit_log_id_seq', 1, true);
SELECT pg_catalog.setval('public.auth_accounts_id_seq', 1, true);
SELECT pg_catalog.setval('public.auth_passkeys_id_seq', 1, true);
SELECT pg_catalog.setval('public.auth_sessions_id_seq', 1, true);
SELECT pg_catalog.setval('public.auth_two_factors_id_seq', 1, true);
SELECT pg_catalog.setval('public.auth_verifications_id_seq', 1, true);
SELECT pg_catalog.setval('public.certificate_orders_id_seq', 1, true);
SELECT pg_catalog.setval('public.certificates_id_seq', 1, true);
SELECT pg_catalog.setval('public.database_imports_id_seq', 1, true);
SELECT pg_catalog.setval('public.database_users_id_seq', 1, true);
SELECT pg_catalog.setval('public.databases_id_seq', 3, true);
SELECT pg_catalog.setval('public.departed_servers_id_seq', 1, true);
SELECT pg_catalog.setval('public.deployments_id_seq', 14, true);
SELECT pg_catalog.setval('public.domains_id_seq', 10, true);
SELECT pg_catalog.setval('public.event_positions', 1, false);
SELECT pg_catalog.setval('public.events_id_seq', 1, true);
SELECT pg_catalog.setval('public.forwardings_id_seq', 1, true);
SELECT pg_catalog.setval('public.heartbeat_gaps_id_seq', 1, true);
SELECT pg_catalog.setval('public.invitations_id_seq', 1, true);
SELECT pg_catalog.setval('public.maintenance_windows_id_seq', 1, true);
SELECT pg_catalog.setval('public.memberships_id_seq', 5, true);
SELECT pg_catalog.setval('public.monitor_events_id_seq', 1, true);
SELECT pg_catalog.setval('public.monitor_intervals_id_seq', 1, true);
SELECT pg_catalog.setval('public.monitors_id_seq', 2, true);
SELECT pg_catalog.setval('public.notification_channels_id_seq', 1, true);
SELECT pg_catalog.setval('public.notification_deliveries_id_seq', 1, true);
SELECT pg_catalog.setval('public.organizations_id_seq', 2, true);
SELECT pg_catalog.setval('public.process_watches_id_seq', 1, true);
SELECT pg_catalog.setval('public.project_commands_id_seq', 1, true);
SELECT pg_catalog.setval('public.project_groups_id_seq', 1, true);
SELECT pg_catalog.setval('public.project_jobs_id_seq', 2, true);
SELECT pg_catalog.setval('public.projects_id_seq', 10, true);
SELECT pg_catalog.setval('public.pushes_id_seq', 1, true);
SELECT pg_catalog.setval('public.runs_id_seq', 1, true);
SELECT pg_catalog.setval('public.sent_invitations_id_seq', 1, true);
SELECT pg_catalog.setval('public.server_orders_id_seq', 2, true);
SELECT pg_catalog.setval('public.server_providers_id_seq', 2, true);
SELECT pg_catalog.setval('public.server_snapshots_id_seq', 1, true);
SELECT pg_catalog.setval('public.servers_id_seq', 10, true);
SELECT pg_catalog.setval('public.site_changes_id_seq', 1, true);
SELECT pg_catalog.setval('public.source_providers_id_seq', 1, true);
SELECT pg_catalog.setval('public.source_registrations_id_seq', 1, true);
SELECT pg_catalog.setval('public.ssh_access_id_seq', 1, true);
SELECT pg_catalog.setval('public.ssh_keys_id_seq', 1, true);
SELECT pg_catalog.setval('public.status_incident_updates_id_seq', 2, true);
SELECT pg_catalog.setval('public.status_incidents_id_seq', 1, true);
SELECT pg_catalog.setval('public.status_pages_id_seq', 1, true);
SELECT pg_catalog.setval('public.targets_id_seq', 1, true);
SELECT pg_catalog.setval('public.tokens_id_seq', 5, true);
SELECT pg_catalog.setval('public.users_id_seq', 5, true);
SELECT pg_catalog.setval('public.workflows_id_seq', 1, true);
ALTER TABLE ONLY public.acme_accounts
    ADD CONSTRAINT acme_accounts_pkey PRIMARY KEY (directory);
ALTER TABLE ONLY public.acme_pauses
    ADD CONSTRAINT acme_pauses_pkey PRIMARY KEY (directory, scope);
ALTER TABLE ONLY public.acme_requests
    ADD CONSTRAINT acme_requests_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.announcements
    ADD CONSTRAINT announcements_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.app_installations
    ADD CONSTRAINT app_installations_pkey PRIMARY KEY (project_id);
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_accounts
    ADD CONSTRAINT auth_accounts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_accounts
    ADD CONSTRAINT auth_accounts_provider_id_account_id_key UNIQUE (provider_id, account_id);
ALTER TABLE ONLY public.auth_passkeys
    ADD CONSTRAINT auth_passkeys_credential_id_key UNIQUE (credential_id);
ALTER TABLE ONLY public.auth_passkeys
    ADD CONSTRAINT auth_passkeys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_secret
    ADD CONSTRAINT auth_secret_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_sessions
    ADD CONSTRAINT auth_sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_sessions
    ADD CONSTRAINT auth_sessions_token_key UNIQUE (token);
ALTER TABLE ONLY public.auth_two_factors
    ADD CONSTRAINT auth_two_factors_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_used_codes
    ADD CONSTRAINT auth_used_codes_pkey PRIMARY KEY (user_id, digest);
ALTER TABLE ONLY public.auth_verifications
    ADD CONSTRAINT auth_verifications_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.certificate_orders
    ADD CONSTRAINT certificate_orders_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.certificates
    ADD CONSTRAINT certificates_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.certificates
    ADD CONSTRAINT certificates_project_id_key UNIQUE (project_id);
ALTER TABLE ONLY public.cloud_call_limits
    ADD CONSTRAINT cloud_call_limits_pkey PRIMARY KEY (provider_id, bucket);
ALTER TABLE ONLY public.cloud_catalogues
    ADD CONSTRAINT cloud_catalogues_pkey PRIMARY KEY (provider_id, part, location);
ALTER TABLE ONLY public.cloud_orphans
    ADD CONSTRAINT cloud_orphans_pkey PRIMARY KEY (provider_id, kind, location, id);
ALTER TABLE ONLY public.cloud_owner
    ADD CONSTRAINT cloud_owner_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY public.database_engines
    ADD CONSTRAINT database_engines_pkey PRIMARY KEY (server_id);
ALTER TABLE ONLY public.database_imports
    ADD CONSTRAINT database_imports_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.database_users
    ADD CONSTRAINT database_users_database_id_username_key UNIQUE (database_id, username);
ALTER TABLE ONLY public.database_users
    ADD CONSTRAINT database_users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.databases
    ADD CONSTRAINT databases_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.databases
    ADD CONSTRAINT databases_server_id_database_name_key UNIQUE (server_id, database_name);
ALTER TABLE ONLY public.departed_servers
    ADD CONSTRAINT departed_servers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.deploy_keys
    ADD CONSTRAINT deploy_keys_pkey PRIMARY KEY (project_id, server_id);
ALTER TABLE ONLY public.deployments
    ADD CONSTRAINT deployments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.deployments
    ADD CONSTRAINT deployments_takes_back_key UNIQUE (takes_back);
ALTER TABLE ONLY public.domain_names
    ADD CONSTRAINT domain_names_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_domain_name_key UNIQUE (domain_name);
ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.forwardings
    ADD CONSTRAINT forwardings_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.forwardings
    ADD CONSTRAINT forwardings_project_id_server_id_key UNIQUE (project_id, server_id);
ALTER TABLE ONLY public.heartbeat_gaps
    ADD CONSTRAINT heartbeat_gaps_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.heartbeat_intake
    ADD CONSTRAINT heartbeat_intake_pkey PRIMARY KEY (is_only);
ALTER TABLE ONLY public.held_deployments
    ADD CONSTRAINT held_deployments_pkey PRIMARY KEY (deployment_id);
ALTER TABLE ONLY public.hook_deliveries
    ADD CONSTRAINT hook_deliveries_pkey PRIMARY KEY (project_id, identity);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (user_id, key);
ALTER TABLE ONLY public.invitation_mails
    ADD CONSTRAINT invitation_mails_pkey PRIMARY KEY (invitation_id);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.key_check
    ADD CONSTRAINT key_check_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.maintenance_window_targets
    ADD CONSTRAINT maintenance_window_targets_window_id_monitor_id_key UNIQUE (window_id, monitor_id);
ALTER TABLE ONLY public.maintenance_window_targets
    ADD CONSTRAINT maintenance_window_targets_window_id_server_id_key UNIQUE (window_id, server_id);
ALTER TABLE ONLY public.maintenance_windows
    ADD CONSTRAINT maintenance_windows_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_user_id_organization_id_key UNIQUE (user_id, organization_id);
ALTER TABLE ONLY public.monitor_events
    ADD CONSTRAINT monitor_events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.monitor_hours
    ADD CONSTRAINT monitor_hours_pkey PRIMARY KEY (monitor_id, hour);
ALTER TABLE ONLY public.monitor_hours_2026_11
    ADD CONSTRAINT monitor_hours_2026_11_pkey PRIMARY KEY (monitor_id, hour);
ALTER TABLE ONLY public.monitor_hours_2026_12
    ADD CONSTRAINT monitor_hours_2026_12_pkey PRIMARY KEY (monitor_id, hour);
ALTER TABLE ONLY public.monitor_intervals
    ADD CONSTRAINT monitor_intervals_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.monitors
    ADD CONSTRAINT monitors_id_organization_id_key UNIQUE (id, organization_id);
ALTER TABLE ONLY public.monitors
    ADD CONSTRAINT monitors_ping_digest_key UNIQUE (ping_digest);
ALTER TABLE ONLY public.monitors
    ADD CONSTRAINT monitors_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.moves
    ADD CONSTRAINT moves_pkey PRIMARY KEY (deployment_id);
ALTER TABLE ONLY public.notification_channels
    ADD CONSTRAINT notification_channels_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.notification_deliveries
    ADD CONSTRAINT notification_deliveries_channel_id_announcement_id_key UNIQUE (channel_id, announcement_id);
ALTER TABLE ONLY public.notification_deliveries
    ADD CONSTRAINT notification_deliveries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT organizations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.periodic_tasks
    ADD CONSTRAINT periodic_tasks_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.placements
    ADD CONSTRAINT placements_pkey PRIMARY KEY (project_id, server_id);
ALTER TABLE ONLY public.placements
    ADD CONSTRAINT placements_server_id_port_pair_key UNIQUE (server_id, port_pair);
ALTER TABLE ONLY public.process_watches
    ADD CONSTRAINT process_watches_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.project_commands
    ADD CONSTRAINT project_commands_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.project_commands
    ADD CONSTRAINT project_commands_run_id_key UNIQUE (run_id);
ALTER TABLE ONLY public.project_groups
    ADD CONSTRAINT project_groups_id_organization_id_key UNIQUE (id, organization_id);
ALTER TABLE ONLY public.project_groups
    ADD CONSTRAINT project_groups_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.project_jobs
    ADD CONSTRAINT project_jobs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.project_sources
    ADD CONSTRAINT project_sources_hook_digest_key UNIQUE (hook_digest);
ALTER TABLE ONLY public.project_sources
    ADD CONSTRAINT project_sources_pkey PRIMARY KEY (project_id);
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_id_organization_id_key UNIQUE (id, organization_id);
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.pushes
    ADD CONSTRAINT pushes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.rate_limits
    ADD CONSTRAINT rate_limits_pkey PRIMARY KEY (user_id, bucket);
ALTER TABLE ONLY public.removals
    ADD CONSTRAINT removals_pkey PRIMARY KEY (project_id, server_id);
ALTER TABLE ONLY public.run_output
    ADD CONSTRAINT run_output_pkey PRIMARY KEY (run_id, journal_offset);
ALTER TABLE ONLY public.run_steps
    ADD CONSTRAINT run_steps_pkey PRIMARY KEY (run_id, "position");
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.sent_invitations
    ADD CONSTRAINT sent_invitations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.server_orders
    ADD CONSTRAINT server_orders_key_key UNIQUE (key);
ALTER TABLE ONLY public.server_orders
    ADD CONSTRAINT server_orders_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.server_pins
    ADD CONSTRAINT server_pins_pkey PRIMARY KEY (user_id, server_id);
ALTER TABLE ONLY public.server_providers
    ADD CONSTRAINT server_providers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.server_snapshots
    ADD CONSTRAINT server_snapshots_key_key UNIQUE (key);
ALTER TABLE ONLY public.server_snapshots
    ADD CONSTRAINT server_snapshots_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.servers
    ADD CONSTRAINT servers_id_organization_id_key UNIQUE (id, organization_id);
ALTER TABLE ONLY public.servers
    ADD CONSTRAINT servers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.servers
    ADD CONSTRAINT servers_public_ip_key UNIQUE (public_ip);
ALTER TABLE ONLY public.shard_members
    ADD CONSTRAINT shard_members_pkey PRIMARY KEY (name, owner);
ALTER TABLE ONLY public.shards
    ADD CONSTRAINT shards_pkey PRIMARY KEY (name, shard);
ALTER TABLE ONLY public.sign_in_attempts
    ADD CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (bucket);
ALTER TABLE ONLY public.site_changes
    ADD CONSTRAINT site_changes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sites
    ADD CONSTRAINT sites_pkey PRIMARY KEY (project_id);
ALTER TABLE ONLY public.source_providers
    ADD CONSTRAINT source_providers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.source_registrations
    ADD CONSTRAINT source_registrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.source_registrations
    ADD CONSTRAINT source_registrations_project_id_provider_id_repository_kind_key UNIQUE (project_id, provider_id, repository, kind, subject);
ALTER TABLE ONLY public.ssh_access
    ADD CONSTRAINT ssh_access_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ssh_keys
    ADD CONSTRAINT ssh_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.status_incident_updates
    ADD CONSTRAINT status_incident_updates_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.status_incidents
    ADD CONSTRAINT status_incidents_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.status_page_monitors
    ADD CONSTRAINT status_page_monitors_pkey PRIMARY KEY (page_id, monitor_id);
ALTER TABLE ONLY public.status_pages
    ADD CONSTRAINT status_pages_domain_key UNIQUE (domain);
ALTER TABLE ONLY public.status_pages
    ADD CONSTRAINT status_pages_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.status_pages
    ADD CONSTRAINT status_pages_slug_key UNIQUE (slug);
ALTER TABLE ONLY public.targets
    ADD CONSTRAINT targets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.user_preferences
    ADD CONSTRAINT user_preferences_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_key UNIQUE (email);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.workflow_phases
    ADD CONSTRAINT workflow_phases_pkey PRIMARY KEY (workflow_id, "position");
ALTER TABLE ONLY public.workflow_phases
    ADD CONSTRAINT workflow_phases_workflow_id_name_key UNIQUE (workflow_id, name);
ALTER TABLE ONLY public.workflows
    ADD CONSTRAINT workflows_pkey PRIMARY KEY (id);
ALTER TABLE ONLY queue.bam
    ADD CONSTRAINT bam_pkey PRIMARY KEY (id);
ALTER TABLE ONLY queue.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (name, id);
ALTER TABLE ONLY queue.job_common
    ADD CONSTRAINT job_common_pkey PRIMARY KEY (name, id);
ALTER TABLE ONLY queue.job_dependency
    ADD CONSTRAINT job_dependency_pkey PRIMARY KEY (child_name, child_id, parent_name, parent_id);
ALTER TABLE ONLY queue.queue
    ADD CONSTRAINT queue_pkey PRIMARY KEY (name);
ALTER TABLE ONLY queue.queue_stats
    ADD CONSTRAINT queue_stats_pkey PRIMARY KEY (id, captured_on);
ALTER TABLE ONLY queue.queue_stats_20261126
    ADD CONSTRAINT queue_stats_20261126_pkey PRIMARY KEY (id, captured_on);
ALTER TABLE ONLY queue.queue_stats_20261127
    ADD CONSTRAINT queue_stats_20261127_pkey PRIMARY KEY (id, captured_on);
ALTER TABLE ONLY queue.schedule
    ADD CONSTRAINT schedule_pkey PRIMARY KEY (name, key);
ALTER TABLE ONLY queue.subscription
    ADD CONSTRAINT subscription_pkey PRIMARY KEY (event, name);
ALTER TABLE ONLY queue.version
    ADD CONSTRAINT version_pkey PRIMARY KEY (version);
ALTER TABLE ONLY queue.warning
    ADD CONSTRAINT warning_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX acme_request_of_order ON public.acme_requests USING btree (order_id, scope);
CREATE INDEX acme_requests_of_scope ON public.acme_requests USING btree (directory, scope, at);
CREATE INDEX announcements_by_age ON public.announcements USING btree (created_at);
CREATE INDEX announcements_of_organization ON public.announcements USING btree (organization_id);
CREATE INDEX app_installations_due ON public.app_installations USING btree (next_look_at);
CREATE INDEX audit_log_by_time ON public.audit_log USING btree (created_at);
CREATE INDEX audit_log_of_organization ON public.audit_log USING btree (organization_id, id DESC);
CREATE INDEX audit_log_of_subject ON public.audit_log USING gin (subjects);
CREATE INDEX auth_accounts_of_user ON public.auth_accounts USING btree (user_id);
CREATE INDEX auth_passkeys_of_user ON public.auth_passkeys USING btree (user_id);
CREATE INDEX auth_sessions_by_expiry ON public.auth_sessions USING btree (expires_at);
CREATE INDEX auth_sessions_of_user ON public.auth_sessions USING btree (user_id);
CREATE INDEX auth_two_factors_of_user ON public.auth_two_factors USING btree (user_id);
CREATE INDEX auth_verifications_by_identifier ON public.auth_verifications USING btree (identifier);
CREATE INDEX balanced_sites ON public.sites USING btree (load_balancer_id) WHERE (load_balancer_id IS NOT NULL);
CREATE INDEX certificate_orders_of_project ON public.certificate_orders USING btree (project_id, id DESC);
CREATE INDEX certificate_orders_of_run ON public.certificate_orders USING btree (install_run_id);
CREATE INDEX certificates_due ON public.certificates USING btree (LEAST(renew_at, retry_at));
CREATE INDEX certificates_expiring ON public.certificates USING btree (not_after) WHERE (status = 1);
CREATE INDEX commands_of_project ON public.project_commands USING btree (project_id, id);
CREATE INDEX database_imports_of_database ON public.database_imports USING btree (database_id, id DESC);
CREATE INDEX databases_of_project ON public.databases USING btree (project_id) WHERE (project_id IS NOT NULL);
CREATE INDEX deployments_begun ON public.deployments USING btree (server_id, turn) WHERE (started_at IS NOT NULL);
CREATE INDEX deployments_of_project ON public.deployments USING btree (project_id, id DESC);
CREATE INDEX deployments_of_run ON public.deployments USING btree (run_id) WHERE (run_id IS NOT NULL);
CREATE INDEX deployments_queued ON public.deployments USING btree (server_id, turn, id) WHERE (status = 0);
CREATE INDEX deployments_running ON public.deployments USING btree (server_id) WHERE (status = ANY (ARRAY[3, 4]));
CREATE INDEX deployments_waiting ON public.deployments USING btree (project_id, server_id, id) WHERE (status = 0);
CREATE INDEX domain_names_of_project ON public.domain_names USING btree (project_id);
CREATE INDEX domains_of_project ON public.domains USING btree (project_id, id);
CREATE INDEX events_by_age ON public.events USING btree (created_at);
CREATE UNIQUE INDEX events_by_position ON public.events USING btree ("position") WHERE ("position" IS NOT NULL);
CREATE INDEX events_in_order ON public.events USING btree (organization_id, "position") WHERE ("position" IS NOT NULL);
CREATE INDEX events_without_position ON public.events USING btree (id) WHERE ("position" IS NULL);
CREATE INDEX forwardings_by_end ON public.forwardings USING btree (until);
CREATE INDEX forwardings_of_server ON public.forwardings USING btree (server_id);
CREATE INDEX heartbeat_gaps_by_end ON public.heartbeat_gaps USING btree (ended_at);
CREATE INDEX heartbeats_due ON public.monitors USING btree (due_at) WHERE ((type = 'heartbeat'::text) AND is_active);
CREATE INDEX held_deployments_of_project ON public.held_deployments USING btree (project_id) WHERE (held_until IS NOT NULL);
CREATE INDEX hook_deliveries_by_age ON public.hook_deliveries USING btree (received_at);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);
CREATE INDEX jobs_of_project ON public.project_jobs USING btree (project_id, kind, id);
CREATE INDEX load_balancers_of_organization ON public.servers USING btree (organization_id) WHERE (server_type = 4);
CREATE INDEX maintenance_window_targets_of_monitor ON public.maintenance_window_targets USING btree (monitor_id);
CREATE INDEX maintenance_window_targets_of_server ON public.maintenance_window_targets USING btree (server_id);
CREATE INDEX maintenance_windows_of_organization ON public.maintenance_windows USING btree (organization_id, active_until);
CREATE INDEX maintenance_windows_recurring ON public.maintenance_windows USING btree (active_until) WHERE (cron_expression IS NOT NULL);
CREATE INDEX memberships_of_organization ON public.memberships USING btree (organization_id);
CREATE INDEX monitor_events_of_monitor ON public.monitor_events USING btree (monitor_id, id DESC);
CREATE INDEX monitor_intervals_of_monitor ON public.monitor_intervals USING btree (monitor_id, started_at);
CREATE INDEX monitors_flapping ON public.monitors USING btree (flapping_since) WHERE (flapping_since IS NOT NULL);
CREATE INDEX monitors_of_job ON public.monitors USING btree (job_id) WHERE (job_id IS NOT NULL);
CREATE INDEX monitors_of_organization ON public.monitors USING btree (organization_id, ((current_status <> 'down'::text)), id);
CREATE INDEX monitors_of_project ON public.monitors USING btree (project_id);
CREATE INDEX moves_of_project ON public.moves USING btree (project_id);
CREATE INDEX notification_channels_of_monitor ON public.notification_channels USING btree (monitor_id) WHERE (monitor_id IS NOT NULL);
CREATE INDEX notification_channels_of_organization ON public.notification_channels USING btree (organization_id, id);
CREATE INDEX notification_deliveries_of_announcement ON public.notification_deliveries USING btree (announcement_id);
CREATE INDEX notification_deliveries_queued ON public.notification_deliveries USING btree (channel_id, next_attempt_at) WHERE (status = 'queued'::text);
CREATE UNIQUE INDEX one_certificate_order ON public.certificate_orders USING btree (project_id) WHERE (outcome IS NULL);
CREATE UNIQUE INDEX one_heartbeat_of_job ON public.monitors USING btree (job_id) WHERE (job_id IS NOT NULL);
CREATE UNIQUE INDEX one_import_at_a_time ON public.database_imports USING btree (database_id) WHERE (status = ANY (ARRAY[0, 3]));
CREATE UNIQUE INDEX one_open_interval ON public.monitor_intervals USING btree (monitor_id) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX one_open_invitation ON public.invitations USING btree (organization_id, email) WHERE (accepted_at IS NULL);
CREATE UNIQUE INDEX one_open_outage ON public.monitor_events USING btree (monitor_id) WHERE ((status = 'down'::text) AND (resolved_at IS NULL));
CREATE UNIQUE INDEX one_own_placement ON public.placements USING btree (project_id) WHERE (role = 'own'::text);
CREATE UNIQUE INDEX one_primary_domain ON public.domains USING btree (project_id) WHERE is_primary;
CREATE UNIQUE INDEX one_running_deployment ON public.deployments USING btree (project_id, server_id) WHERE (status = ANY (ARRAY[3, 4]));
CREATE INDEX placements_by_live_deployment ON public.placements USING btree (live_deployment_id) WHERE (live_deployment_id IS NOT NULL);
CREATE INDEX project_groups_of_organization ON public.project_groups USING btree (organization_id, name COLLATE "und-x-icu", id);
CREATE INDEX projects_by_name ON public.projects USING btree (organization_id, name);
CREATE INDEX projects_of_group ON public.projects USING btree (project_group_id);
CREATE INDEX projects_of_organization ON public.projects USING btree (organization_id, id);
CREATE INDEX projects_of_server ON public.projects USING btree (server_id, id);
CREATE INDEX pushes_by_age ON public.pushes USING btree (received_at);
CREATE INDEX pushes_of_deployment ON public.pushes USING btree (deployment_id) WHERE (deployment_id IS NOT NULL);
CREATE INDEX pushes_of_project ON public.pushes USING btree (project_id, branch, id DESC);
CREATE INDEX removals_of_server ON public.removals USING btree (server_id);
CREATE INDEX replicas_of_server ON public.placements USING btree (server_id, project_id) WHERE (role = 'replica'::text);
CREATE INDEX rolling_deployments ON public.deployments USING btree (rolling_of) WHERE (rolling_of IS NOT NULL);
CREATE INDEX runs_by_end ON public.runs USING btree (ended_at);
CREATE INDEX runs_of_reboots ON public.runs USING btree (server_id, ended_at) WHERE (kind = 'reboot'::text);
CREATE INDEX runs_of_server ON public.runs USING btree (server_id, id);
CREATE INDEX runs_of_subject ON public.runs USING btree (subject_id, kind, id DESC);
CREATE INDEX runs_with_plans ON public.runs USING btree (id) WHERE ((ended_at IS NOT NULL) AND (NOT is_outlined));
CREATE INDEX sent_invitations_by_age ON public.sent_invitations USING btree (created_at);
CREATE INDEX server_orders_of_organization ON public.server_orders USING btree (organization_id, id DESC);
CREATE INDEX server_orders_of_provider ON public.server_orders USING btree (provider_id);
CREATE INDEX server_orders_of_server ON public.server_orders USING btree (server_id, id DESC);
CREATE INDEX server_providers_of_organization ON public.server_providers USING btree (organization_id, id);
CREATE INDEX server_snapshots_of_organization ON public.server_snapshots USING btree (organization_id, id DESC);
CREATE INDEX server_snapshots_of_provider ON public.server_snapshots USING btree (provider_id);
CREATE INDEX server_snapshots_of_server ON public.server_snapshots USING btree (server_id);
CREATE INDEX servers_of_organization ON public.servers USING btree (organization_id, id);
CREATE INDEX servers_of_provider ON public.servers USING btree (provider_id) WHERE (provider_id IS NOT NULL);
CREATE INDEX servers_to_connect ON public.servers USING btree (connect_at) WHERE (connect_at IS NOT NULL);
CREATE INDEX sign_in_attempts_by_end ON public.sign_in_attempts USING btree (ends_at);
CREATE INDEX site_changes_of_project ON public.site_changes USING btree (project_id, id);
CREATE INDEX source_providers_of_organization ON public.source_providers USING btree (organization_id, provider_type, id);
CREATE INDEX source_registrations_of_provider ON public.source_registrations USING btree (provider_id);
CREATE UNIQUE INDEX ssh_access_in_force ON public.ssh_access USING btree (server_id, account, ssh_key_id) WHERE (removed_at IS NULL);
CREATE INDEX ssh_access_of_key ON public.ssh_access USING btree (ssh_key_id);
CREATE UNIQUE INDEX ssh_keys_of_organization ON public.ssh_keys USING btree (organization_id, fingerprint) WHERE (organization_id IS NOT NULL);
CREATE UNIQUE INDEX ssh_keys_of_user ON public.ssh_keys USING btree (user_id, fingerprint) WHERE (user_id IS NOT NULL);
CREATE INDEX status_incident_updates_of_incident ON public.status_incident_updates USING btree (incident_id, id);
CREATE INDEX status_incidents_of_page ON public.status_incidents USING btree (page_id, id DESC);
CREATE INDEX status_page_monitors_of_monitor ON public.status_page_monitors USING btree (monitor_id);
CREATE INDEX status_pages_of_organization ON public.status_pages USING btree (organization_id, id);
CREATE INDEX targets_behind ON public.targets USING btree (id) WHERE (applied_version < wanted_version);
CREATE UNIQUE INDEX targets_by_run ON public.targets USING btree (run_id) WHERE (run_id IS NOT NULL);
CREATE INDEX targets_by_server ON public.targets USING btree (server_id);
CREATE UNIQUE INDEX targets_by_subject ON public.targets USING btree (subject_id, kind, COALESCE(server_id, (0)::bigint));
CREATE INDEX tokens_of_user ON public.tokens USING btree (user_id);
CREATE UNIQUE INDEX watch_of_process ON public.process_watches USING btree (project_id, server_id, COALESCE(job_id, (0)::bigint));
CREATE INDEX watches_of_job ON public.process_watches USING btree (job_id) WHERE (job_id IS NOT NULL);
CREATE INDEX workflows_active ON public.workflows USING btree (id) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX workflows_by_run ON public.workflows USING btree (run_id) WHERE (run_id IS NOT NULL);
CREATE INDEX workflows_by_subject ON public.workflows USING btree (subject_id, kind, id DESC);
CREATE UNIQUE INDEX workflows_one_running ON public.workflows USING btree (kind, subject_id) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX job_common_i1 ON queue.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state = 'created'::queue.job_state) AND (policy = 'short'::text));
CREATE INDEX job_common_i10 ON queue.job_common USING btree (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE ((state < 'active'::queue.job_state) AND (NOT blocked) AND (policy = 'key_strict_fifo'::text));
CREATE INDEX job_common_i11 ON queue.job_common USING btree (name, priority DESC, created_on, start_after) WHERE ((state < 'active'::queue.job_state) AND (NOT blocked));
CREATE INDEX job_common_i12 ON queue.job_common USING btree (source_root_id) WHERE (source_root_id IS NOT NULL);
CREATE UNIQUE INDEX job_common_i2 ON queue.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state = 'active'::queue.job_state) AND (policy = 'singleton'::text));
CREATE UNIQUE INDEX job_common_i3 ON queue.job_common USING btree (name, state, COALESCE(singleton_key, ''::text)) WHERE ((state <= 'active'::queue.job_state) AND (policy = 'stately'::text));
CREATE UNIQUE INDEX job_common_i4 ON queue.job_common USING btree (name, singleton_on, COALESCE(singleton_key, ''::text)) WHERE ((state <> 'cancelled'::queue.job_state) AND (singleton_on IS NOT NULL));
CREATE UNIQUE INDEX job_common_i6 ON queue.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state <= 'active'::queue.job_state) AND (policy = 'exclusive'::text));
CREATE INDEX job_common_i7 ON queue.job_common USING btree (name, group_id) WHERE ((state = 'active'::queue.job_state) AND (group_id IS NOT NULL));
CREATE UNIQUE INDEX job_common_i8 ON queue.job_common USING btree (name, singleton_key) WHERE ((state = ANY (ARRAY['active'::queue.job_state, 'retry'::queue.job_state, 'failed'::queue.job_state])) AND (policy = 'key_strict_fifo'::text));
CREATE INDEX job_common_i9 ON queue.job_common USING btree (name, id) WHERE (blocking AND (state = 'completed'::queue.job_state));
CREATE INDEX job_dep_parent_idx ON queue.job_dependency USING btree (parent_name, parent_id);
CREATE INDEX queue_stats_i1 ON ONLY queue.queue_stats USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);
CREATE INDEX queue_stats_20261126_name_captured_on_deferred_count_queued_idx ON queue.queue_stats_20261126 USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);
CREATE INDEX queue_stats_20261127_name_captured_on_deferred_count_queued_idx ON queue.queue_stats_20261127 USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);
CREATE INDEX warning_i1 ON queue.warning USING btree (created_on DESC);
ALTER INDEX public.monitor_hours_pkey ATTACH PARTITION public.monitor_hours_2026_11_pkey;
ALTER INDEX public.monitor_hours_pkey ATTACH PARTITION public.monitor_hours_2026_12_pkey;
ALTER INDEX queue.job_pkey ATTACH PARTITION queue.job_common_pkey;
ALTER INDEX queue.queue_stats_i1 ATTACH PARTITION queue.queue_stats_20261126_name_captured_on_deferred_count_queued_idx;
ALTER INDEX queue.queue_stats_pkey ATTACH PARTITION queue.queue_stats_20261126_pkey;
ALTER INDEX queue.queue_stats_i1 ATTACH PARTITION queue.queue_stats_20261127_name_captured_on_deferred_count_queued_idx;
ALTER INDEX queue.queue_stats_pkey ATTACH PARTITION queue.queue_stats_20261127_pkey;
CREATE TRIGGER announce_access AFTER DELETE OR UPDATE OF expires_at ON public.auth_sessions FOR EACH ROW EXECUTE FUNCTION public.announce_access();
CREATE TRIGGER announce_access AFTER DELETE OR UPDATE ON public.memberships FOR EACH ROW EXECUTE FUNCTION public.announce_access();
CREATE TRIGGER announce_access AFTER DELETE OR UPDATE OF permissions, organization_id, is_bound, expires_at ON public.tokens FOR EACH ROW EXECUTE FUNCTION public.announce_access();
CREATE CONSTRAINT TRIGGER claim_names AFTER INSERT OR DELETE OR UPDATE OF domain_name, redirect_to ON public.domains DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.claim_names_of_domain();
CREATE CONSTRAINT TRIGGER claim_names AFTER UPDATE OF www_redirect ON public.sites DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.www_redirect <> new.www_redirect)) EXECUTE FUNCTION public.claim_names_of_site();
CREATE TRIGGER guard_deployment_status BEFORE UPDATE OF status ON public.deployments FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION public.guard_deployment_status();
CREATE TRIGGER project_groups_keep_projects BEFORE DELETE ON public.project_groups FOR EACH ROW EXECUTE FUNCTION public.keep_projects_of_group();
CREATE TRIGGER servers_keep_orders BEFORE DELETE ON public.servers FOR EACH ROW EXECUTE FUNCTION public.keep_orders_of_server();
CREATE TRIGGER take_turn BEFORE INSERT ON public.deployments FOR EACH ROW EXECUTE FUNCTION public.take_turn();
ALTER TABLE ONLY public.acme_requests
    ADD CONSTRAINT acme_requests_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.certificate_orders(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.announcements
    ADD CONSTRAINT announcements_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.app_installations
    ADD CONSTRAINT app_installations_database_id_fkey FOREIGN KEY (database_id) REFERENCES public.databases(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.app_installations
    ADD CONSTRAINT app_installations_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.auth_accounts
    ADD CONSTRAINT auth_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.auth_passkeys
    ADD CONSTRAINT auth_passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.auth_sessions
    ADD CONSTRAINT auth_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.auth_two_factors
    ADD CONSTRAINT auth_two_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.auth_used_codes
    ADD CONSTRAINT auth_used_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.certificate_orders
    ADD CONSTRAINT certificate_orders_install_run_id_fkey FOREIGN KEY (install_run_id) REFERENCES public.runs(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.certificate_orders
    ADD CONSTRAINT certificate_orders_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.certificate_orders
    ADD CONSTRAINT certificate_orders_server_id_fkey FOREIGN KEY (server_id) REFERENCES public.servers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.certificates
    ADD CONSTRAINT certificates_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.certificates
    ADD CONSTRAINT certificates_server_id_fkey FOREIGN KEY (server_id) REFERENCES public.servers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.cloud_call_limits
    ADD CONSTRAINT cloud_call_limits_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES public.server_providers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.cloud_catalogues
    ADD CONSTRAINT cloud_catalogues_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES public.server_providers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.cloud_orphans
    ADD CONSTRAINT cloud_orphans_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES public.server_providers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.database_engines
    ADD CONSTRAINT database_engines_server_id_fkey FOREIGN KEY (server_id) REFERENCES public.servers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.database_imports
    ADD CONSTRAINT database_imports_database_id_fkey FOREIGN KEY (database_id) REFERENCES public.databases(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.database_imports
    ADD CONSTRAINT database_imports_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.runs(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.database_imports
    ADD CONSTRAINT database_imports_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.database_users
    ADD CONSTRAINT database_users_database_id_fkey FOREIGN KEY (database_id) REFERENCES public.databases(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.databases
    ADD CONSTRAINT databases_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.databases
    ADD CONSTRAINT databases_server_id_fkey FOREIGN KEY (server_id) REFERENCES public.servers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.deploy_keys
    ADD CONSTRAINT deploy_keys_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.deploy_keys
    ADD CONSTRAINT deploy_keys_server_id_fkey FOREIGN KEY (server_id) REFERENCES public.servers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.deployments
    ADD CONSTRAINT deployments_initiated_by_fkey FOREIGN KEY (initiated_by) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.deployments
    ADD CONSTRAINT deployments_project_id_organization_id_fkey FOREIGN KEY (project_id, organization_id) REFERENCES public.projects(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.deployments
    ADD CONSTRAINT deployments_rolling_of_fkey FOREIGN KEY (rolling_of) REFERENCES public.deployments(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.deployments
    ADD CONSTRAINT deployments_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.runs(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.deployments
    ADD CONSTRAINT deployments_server_id_fkey FOREIGN KEY (server_id) REFERENCES public.servers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.deployments
    ADD CONSTRAINT deployments_takes_back_fkey FOREIGN KEY (takes_back) REFERENCES public.deployments(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.domain_names
    ADD CONSTRAINT domain_names_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.forwardings
    ADD CONSTRAINT forwardings_server_id_fkey FOREIGN KEY (server_id) REFERENCES public.servers(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.held_deployments
    ADD CONSTRAINT held_deployments_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES public.deployments(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.held_deployments
    ADD CONSTRAINT held_deployments_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.hook_deliveries
    ADD CONSTRAINT hook_deliveries_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.invitation_mails
    ADD CONSTRAINT invitation_mails_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES public.invitations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.maintenance_window_targets
    ADD CONSTRAINT maintenance_window_targets_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES public.monitors(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.maintenance_window_targets
    ADD CONSTRAINT maintenance_window_targets_server_id_fkey FOREIGN KEY (server_id) REFERENCES public.servers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.maintenance_window_targets
    ADD CONSTRAINT maintenance_window_targets_window_id_fkey FOREIGN KEY (window_id) REFERENCES public.maintenance_windows(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.maintenance_windows
    ADD CONSTRAINT maintenance_windows_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.monitor_events
    ADD CONSTRAINT monitor_events_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES public.monitors(id) ON DELETE CASCADE;
ALTER TABLE public.monitor_hours
    ADD CONSTRAINT monitor_hours_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES public.monitors(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.monitor_intervals
    ADD CONSTRAINT monitor_intervals_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES public.monitors(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.monitors
    ADD CONSTRAINT monitors_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.project_jobs(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.monitors
    ADD CONSTRAINT monitors_project_id_organization_id_fkey FOREIGN KEY (project_id, organization_id) REFERENCES public.projects(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.moves
    ADD CONSTRAINT moves_destination_id_fkey FOREIGN KEY (destination_id) REFERENCES public.servers(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.moves
    ADD CONSTRAINT moves_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.servers(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.notification_channels
    ADD CONSTRAINT notification_channels_monitor_id_organization_id_fkey FOREIGN KEY (monitor_id, organization_id) REFERENCES public.monitors(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.notification_channels
    ADD CONSTRAINT notification_channels_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.notification_deliveries
    ADD CONSTRAINT notification_deliveries_announcement_id_fkey FOREIGN KEY (announcement_id) REFERENCES public.announcements(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.notification_deliveries
    ADD CONSTRAINT notification_deliveries_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES public.notification_channels(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.placements
    ADD CONSTRAINT placements_live_deployment FOREIGN KEY (live_deployment_id) REFERENCES public.deployments(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.placements
    ADD CONSTRAINT placements_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.placements
    ADD CONSTRAINT placements_server_id_fkey FOREIGN KEY (server_id) REFERENCES public.servers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.process_watches
    ADD CONSTRAINT process_watches_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.project_jobs(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.process_watches
    ADD CONSTRAINT process_watches_project_id_server_id_fkey FOREIGN KEY (project_id, server_id) REFERENCES public.placements(project_id, server_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.project_commands
    ADD CONSTRAINT project_commands_initiated_by_fkey FOREIGN KEY (initiated_by) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.project_commands
    ADD CONSTRAINT project_commands_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.project_commands
    ADD CONSTRAINT project_commands_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.runs(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.project_groups
    ADD CONSTRAINT project_groups_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.project_jobs
    ADD CONSTRAINT project_jobs_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.project_sources
    ADD CONSTRAINT project_sources_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.project_sources
    ADD CONSTRAINT project_sources_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES public.source_providers(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_own_placement FOREIGN KEY (id, server_id) REFERENCES public.placements(project_id, server_id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_project_group_id_organization_id_fkey FOREIGN KEY (project_group_id, organization_id) REFERENCES public.project_groups(id, organization_id);
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_server_id_fkey FOREIGN KEY (server_id) REFERENCES public.servers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_server_id_organization_id_fkey FOREIGN KEY (server_id, organization_id) REFERENCES public.servers(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_site FOREIGN KEY (id) REFERENCES public.sites(project_id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.pushes
    ADD CONSTRAINT pushes_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES public.deployments(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.pushes
    ADD CONSTRAINT pushes_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.rate_limits
    ADD CONSTRAINT rate_limits_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.removals
    ADD CONSTRAINT removals_server_id_fkey FOREIGN KEY (server_id) REFERENCES public.servers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.run_output
    ADD CONSTRAINT run_output_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.runs(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.run_steps
    ADD CONSTRAINT run_steps_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.runs(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_server_id_fkey FOREIGN KEY (server_id) REFERENCES public.servers(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.sent_invitations
    ADD CONSTRAINT sent_invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sent_invitations
    ADD CONSTRAINT sent_invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.server_orders
    ADD CONSTRAINT server_orders_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.server_orders
    ADD CONSTRAINT server_orders_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES public.server_providers(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.server_orders
    ADD CONSTRAINT server_orders_server_id_organization_id_fkey FOREIGN KEY (server_id, organization_id) REFERENCES public.servers(id, organization_id) ON UPDATE CASCADE;
ALTER TABLE ONLY public.server_pins
    ADD CONSTRAINT server_pins_server_id_organization_id_fkey FOREIGN KEY (server_id, organization_id) REFERENCES public.servers(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.server_pins
    ADD CONSTRAINT server_pins_user_id_organization_id_fkey FOREIGN KEY (user_id, organization_id) REFERENCES public.memberships(user_id, organization_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.server_providers
    ADD CONSTRAINT server_providers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.server_snapshots
    ADD CONSTRAINT server_snapshots_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.server_snapshots
    ADD CONSTRAINT server_snapshots_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES public.server_providers(id);
ALTER TABLE ONLY public.server_snapshots
    ADD CONSTRAINT server_snapshots_server_id_fkey FOREIGN KEY (server_id) REFERENCES public.servers(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.servers
    ADD CONSTRAINT servers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.servers
    ADD CONSTRAINT servers_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES public.server_providers(id);
ALTER TABLE ONLY public.site_changes
    ADD CONSTRAINT site_changes_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sites
    ADD CONSTRAINT sites_load_balancer_id_fkey FOREIGN KEY (load_balancer_id) REFERENCES public.servers(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.sites
    ADD CONSTRAINT sites_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.source_providers
    ADD CONSTRAINT source_providers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.source_registrations
    ADD CONSTRAINT source_registrations_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES public.source_providers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.ssh_access
    ADD CONSTRAINT ssh_access_granted_by_fkey FOREIGN KEY (granted_by) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.ssh_access
    ADD CONSTRAINT ssh_access_server_id_fkey FOREIGN KEY (server_id) REFERENCES public.servers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.ssh_access
    ADD CONSTRAINT ssh_access_ssh_key_id_fkey FOREIGN KEY (ssh_key_id) REFERENCES public.ssh_keys(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.ssh_keys
    ADD CONSTRAINT ssh_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.ssh_keys
    ADD CONSTRAINT ssh_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.status_incident_updates
    ADD CONSTRAINT status_incident_updates_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES public.status_incidents(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.status_incidents
    ADD CONSTRAINT status_incidents_page_id_fkey FOREIGN KEY (page_id) REFERENCES public.status_pages(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.status_page_monitors
    ADD CONSTRAINT status_page_monitors_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES public.monitors(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.status_page_monitors
    ADD CONSTRAINT status_page_monitors_page_id_fkey FOREIGN KEY (page_id) REFERENCES public.status_pages(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.status_pages
    ADD CONSTRAINT status_pages_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.targets
    ADD CONSTRAINT targets_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.runs(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.targets
    ADD CONSTRAINT targets_server_id_fkey FOREIGN KEY (server_id) REFERENCES public.servers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.user_preferences
    ADD CONSTRAINT user_preferences_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_current_organization_id_fkey FOREIGN KEY (current_organization_id) REFERENCES public.organizations(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.workflow_phases
    ADD CONSTRAINT workflow_phases_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES public.workflows(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.workflows
    ADD CONSTRAINT workflows_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.workflows
    ADD CONSTRAINT workflows_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.runs(id) ON DELETE SET NULL;
ALTER TABLE ONLY queue.job_common
    ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES queue.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY queue.job_common
    ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES queue.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY queue.queue
    ADD CONSTRAINT queue_dead_letter_fkey FOREIGN KEY (dead_letter) REFERENCES queue.queue(name);
ALTER TABLE ONLY queue.schedule
    ADD CONSTRAINT schedule_name_fkey FOREIGN KEY (name) REFERENCES queue.queue(name) ON DELETE CASCADE;
ALTER TABLE ONLY queue.subscription
    ADD CONSTRAINT subscription_name_fkey FOREIGN KEY (name) REFERENCES queue.queue(name) ON DELETE CASCADE;
