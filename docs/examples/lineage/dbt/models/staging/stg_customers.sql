{#- Names are for people; who a customer is stays hidden behind the hash. -#}
select
    id as customer_id,
    first_name || ' ' || last_name as full_name,
    md5(lower(email)) as email_hash
from {{ source('shop', 'raw_customers') }}
