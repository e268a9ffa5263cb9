{{ config(materialized='table') }}

with spent as (

    select
        customer_id,
        min(order_date) as first_order,
        count(*) as number_of_orders,
        sum(amount) as lifetime_value,
        row_number() over (order by sum(amount) desc) as rank_by_value
    from {{ ref('fct_orders') }}
    group by 1

)

select
    c.customer_id,
    c.full_name,
    s.first_order,
    coalesce(s.number_of_orders, 0) as number_of_orders,
    case when s.rank_by_value <= {{ var('top_customers', 100) }} then s.lifetime_value end as top_value
from {{ ref('stg_customers') }} as c
left join spent as s on s.customer_id = c.customer_id
order by s.lifetime_value desc
