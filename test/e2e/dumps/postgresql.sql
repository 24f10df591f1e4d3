--
-- PostgreSQL database dump
--

\restrict gRz2mTcBdN8fKw1Vh5

-- Dumped from database version 18.1
SET statement_timeout = 0;
SET transaction_timeout = 0;
SET a_setting_of_tomorrow = 'x';
SET client_encoding = 'UTF8';
SELECT pg_catalog.set_config('search_path', '', false);
COMMENT ON EXTENSION plpgsql IS 'PL/pgSQL';
CREATE SCHEMA public;
ALTER SCHEMA public OWNER TO azure_pg_admin;
CREATE FUNCTION public.add() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  new.body := new.body || ' by trigger';
  return new;
end
$$;
ALTER FUNCTION public.add() OWNER TO cloudsqlsuperuser;
CREATE TABLE public.pages (id integer NOT NULL, title text DEFAULT E'it\'s; GRANT a', body text);
ALTER TABLE public.pages OWNER TO cloudsqlsuperuser;
COMMENT ON TABLE public.pages IS 'ALTER TABLE pages OWNER TO b;';
CREATE VIEW public.shown AS SELECT title FROM public.pages WHERE id = 1;
ALTER VIEW public.shown OWNER TO cloudsqlsuperuser;
COPY public.pages (id, title, body) FROM stdin;
1	Käse	utf8mb4_0900_ai_ci; DEFINER=`a`@`b`; USE x; SET @@GLOBAL.y=1; GRANT z; OWNER TO w;
2	it's	\n\\.
3		
\.

CREATE TRIGGER t BEFORE INSERT ON public.pages FOR EACH ROW EXECUTE FUNCTION public.add();
SELECT * FROM pg_catalog.pg_restore_relation_stats('version', '180001'::integer);
REVOKE USAGE ON SCHEMA public FROM PUBLIC;
GRANT ALL ON TABLE public.pages TO reporting;
ALTER DEFAULT PRIVILEGES FOR ROLE cloudsqlsuperuser IN SCHEMA public GRANT ALL ON TABLES TO reporting;
--
-- PostgreSQL database dump complete
--

\unrestrict gRz2mTcBdN8fKw1Vh5

